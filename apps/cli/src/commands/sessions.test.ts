import {
  chmodSync,
  existsSync,
  readdirSync,
  statSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
  rmSync,
} from "node:fs";
import type { SessionSummary } from "@toycoder/agent";
import { type TempWorkspace, tempWorkspace } from "@toycoder/testing";
import { describe, expect, it } from "vitest";
import { cassette } from "../test-support/cassette.ts";
import { runToycoder } from "../test-support/run-toycoder.ts";

const WRITE = { name: "write_file", arguments: { path: "new/a.txt", content: "a\n" } };
const EDIT = { name: "edit_file", arguments: { path: "src/old.sh", old_string: "old", new_string: "new" } };

/** A workspace in which one run has changed two files. */
async function worked(): Promise<TempWorkspace> {
  const turns = [{ text: "I look.", calls: [WRITE] }, { calls: [EDIT] }, { text: "All done." }];
  const folder = tempWorkspace({ "c.jsonl": await cassette(turns), "src/old.sh": "old\n" });
  chmodSync(folder.path("src/old.sh"), 0o750);
  const rules = ["--allow", "write_file", "--allow", "edit_file"];
  const { code } = await runToycoder(["run", "Do it now.", "--model", "replay:c.jsonl", ...rules], {
    cwd: folder.root,
  });
  expect(code).toBe(0);
  return folder;
}

const idsOf = (folder: TempWorkspace): string[] =>
  readdirSync(folder.path(".state/sessions")).filter((name) => !name.startsWith("."));

describe("toycoder sessions", () => {
  it("lists, shows and removes", async () => {
    using folder = await worked();
    const [id = ""] = idsOf(folder);
    const at = { cwd: folder.root };
    const list = await runToycoder(["sessions", "list"], at);
    const [head = "", row = ""] = list.stdout.split("\n");
    expect(head).toMatch(/^ID +LAST +STATUS +TURNS +FILES +COST +SIZE +MODEL +WORKSPACE +TASK$/);
    expect(row).toMatch(new RegExp(`^${id}  \\d{4}-.* completed +3 +2 .* Do it now\\.$`));
    const [summary] = JSON.parse((await runToycoder(["sessions", "--json"], at)).stdout) as SessionSummary[];
    expect(summary).toMatchObject({
      id,
      status: "completed",
      turns: 3,
      changedFiles: ["new/a.txt", "src/old.sh"],
    });
    expect(summary?.bytes).toBeGreaterThan(1000);

    const show = await runToycoder(["sessions", "show", id.slice(0, 18)], at);
    const said = [
      "> Do it now.",
      "I look.",
      "✓ write_file new/a.txt",
      "+new",
      "All done.",
      "completed after 3 turns",
    ];
    let from = 0;
    for (const part of said) {
      expect(show.stdout.slice(from)).toContain(part);
      from = show.stdout.indexOf(part, from);
    }
    expect((await runToycoder(["sessions", "show", "last"], at)).stdout).toBe(show.stdout);
    const whole = JSON.parse((await runToycoder(["sessions", "show", id, "--json"], at)).stdout) as {
      events: object[];
    };
    expect(whole.events[0]).toMatchObject({ v: 1, type: "session_start", sessionId: id });

    expect((await runToycoder(["sessions", "rm", "--older-than", "1h"], at)).stdout).toBe("");
    const old = new Date(Date.now() - 2 * 60 * 60 * 1000);
    utimesSync(folder.path(`.state/sessions/${id}/events.jsonl`), old, old);
    const rm = await runToycoder(["sessions", "rm", "--older-than", "1h", "--json"], at);
    expect(JSON.parse(rm.stdout)).toEqual({ removed: [id], kept: [] });
    expect(idsOf(folder)).toEqual([]);
  });

  it.each([
    [["sessions", "lst"], 2, "sessions has no lst"],
    [["sessions", "show"], 2, "needs the ID"],
    [["sessions", "show", "x"], 3, 'there is no session "x"'],
    [["sessions", "show", "last"], 3, "there is no session of the workspace"],
    [["sessions", "rm"], 2, "needs IDs, --older-than or --all"],
    [["sessions", "rm", "x", "--all"], 2, "give sessions rm IDs, or"],
    [["sessions", "rm", "--older-than", "soon"], 2, "--older-than is a number with h, d or w"],
    [["sessions", "rm", "x"], 3, 'there is no session "x"'],
    [["undo"], 3, "there is no session of the workspace"],
    [["undo", "x", "y"], 2, "undo takes one session"],
  ])("%j: exit %i", async (args, expected, message) => {
    using folder = tempWorkspace();
    const { code, stderr } = await runToycoder(args, { cwd: folder.root });
    expect([code, stderr]).toEqual([expected, expect.stringContaining(message)]);
  });

  it("says of a newer format, and of a broken line, what and where; such a session can be removed", async () => {
    using folder = tempWorkspace({
      ".state/sessions/newer/events.jsonl": '{"v":2,"type":"x"}\n',
      ".state/sessions/broken/events.jsonl": 'x\n{"v":1,"type":"x"}\n',
    });
    const at = { cwd: folder.root };
    const list = await runToycoder(["sessions"], at);
    expect(list.code).toBe(0);
    expect(list.stdout.match(/unreadable/g)).toHaveLength(2);
    for (const [id, message] of [
      ["newer", "events.jsonl:1: format version 2"],
      ["broken", "events.jsonl:1: "],
    ] as const) {
      for (const command of [
        ["sessions", "show", id],
        ["undo", id],
      ]) {
        const { code, stderr } = await runToycoder(command, at);
        expect([code, stderr]).toEqual([3, expect.stringContaining(message)]);
      }
    }
    expect((await runToycoder(["sessions", "rm", "newer", "broken"], at)).code).toBe(0);
  });

  it("are cleared away by age at the end of a run, as the config says", async () => {
    using folder = await worked();
    const [id = ""] = idsOf(folder);
    const old = new Date(Date.now() - 3 * 24 * 60 * 60 * 1000);
    utimesSync(folder.path(`.state/sessions/${id}/events.jsonl`), old, old);
    writeFileSync(folder.path("toycoder.config.json"), JSON.stringify({ sessions: { keepDays: 2 } }));
    const run = ["run", "x", "--model", "replay:c.jsonl"];
    await runToycoder(run, { cwd: folder.root });
    // It was looked after within the hour.
    expect(idsOf(folder)).toHaveLength(2);
    rmSync(folder.path(".state/pruned"));
    await runToycoder(run, { cwd: folder.root });
    expect(idsOf(folder)).toHaveLength(2);
    expect(existsSync(folder.path(`.state/sessions/${id}`))).toBe(false);
  });
});

describe("toycoder undo", () => {
  it("puts the files of the workspace's last session back, from a folder in it, and does them again", async () => {
    using folder = await worked();
    const at = { cwd: folder.path("src") };
    const env = { TOYCODER_STATE_DIR: folder.path(".state") };
    const list = await runToycoder(["undo", "--list"], { ...at, env });
    expect([list.code, list.stdout]).toEqual([
      0,
      expect.stringMatching(/^undo of session .*\n  restore src\/old\.sh\n  remove new\/a\.txt\n$/),
    ]);
    expect(existsSync(folder.path("new/a.txt"))).toBe(true);
    const undo = await runToycoder(["undo", "--json"], { ...at, env });
    expect([undo.code, JSON.parse(undo.stdout)]).toEqual([
      0,
      {
        sessionId: expect.any(String),
        by: "undo",
        files: [
          { path: "src/old.sh", action: "restored" },
          { path: "new/a.txt", action: "removed" },
        ],
        refused: [],
        exitCode: 0,
      },
    ]);
    expect([folder.read("src/old.sh"), existsSync(folder.path("new"))]).toEqual(["old\n", false]);
    expect(statSync(folder.path("src/old.sh")).mode & 0o777).toBe(0o750);
    const again = await runToycoder(["undo"], { ...at, env });
    expect([again.code, again.stderr]).toEqual([0, expect.stringContaining("redo of session")]);
    expect(folder.read("new/a.txt")).toBe("a\n");
  });

  it("9: refuses a file that was changed since, and names it; --file and --force", async () => {
    using folder = await worked();
    const at = { cwd: folder.root };
    folder.write("new/a.txt", "mine\n");
    const refused = await runToycoder(["undo"], at);
    expect([refused.code, refused.stderr]).toEqual([
      9,
      expect.stringContaining("nothing was touched\n  new/a.txt: its content was changed since\n"),
    ]);
    expect(folder.read("src/old.sh")).toBe("new\n");
    const file = await runToycoder(["undo", "--file", "src/old.sh"], at);
    expect([file.code, folder.read("src/old.sh")]).toEqual([0, "old\n"]);
    const unknown = await runToycoder(["undo", "--file", "no.txt"], at);
    expect([unknown.code, unknown.stderr]).toEqual([2, expect.stringContaining("did not change no.txt")]);
    expect((await runToycoder(["undo", "--force"], at)).code).toBe(0);
    expect(existsSync(folder.path("new/a.txt"))).toBe(false);
    await runToycoder(["undo", "--file", "new/a.txt"], at);
    expect(folder.read("new/a.txt")).toBe("mine\n");
  });

  it("9: refuses a link in the file's place, with --force too", async () => {
    using folder = await worked();
    folder.write("secret", "s");
    rmSync(folder.path("src/old.sh"));
    symlinkSync(folder.path("secret"), folder.path("src/old.sh"));
    const { code, stderr } = await runToycoder(["undo", "--force"], { cwd: folder.root });
    expect([code, stderr]).toEqual([9, expect.stringContaining("src/old.sh: it is a symbolic link now")]);
    expect(folder.read("secret")).toBe("s");
  });

  it("is told to the model when the session goes on", async () => {
    using folder = await worked();
    const at = { cwd: folder.root };
    await runToycoder(["undo", "--file", "src/old.sh"], at);
    folder.write("d.jsonl", await cassette([{ text: "Noted." }]));
    const run = ["run", "--resume", "last", "More.", "--model", "replay:d.jsonl", "--output", "stream-json"];
    const { stdout } = await runToycoder(run, at);
    const user = stdout.split("\n").find((line) => line.includes('"type":"user"')) ?? "{}";
    expect(JSON.parse(user)).toMatchObject({
      content: [{ text: expect.stringContaining("undone your changes of src/old.sh") }, { text: "More." }],
    });
  });
});
