import { existsSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import type { RunResult, SessionSummary } from "@toycoder/agent";
import { type TempWorkspace, tempWorkspace } from "@toycoder/testing";
import { describe, expect, it } from "vitest";
import { modelServer, type ModelServer } from "../test-support/model-server.ts";
import { type Finished, runToycoder, startToycoder } from "../test-support/run-toycoder.ts";

const write = (path: string, content = "new\n") => ({ name: "write_file", arguments: { path, content } });

interface Ran extends Finished {
  result: RunResult;
}

async function runOn(server: ModelServer, folder: TempWorkspace, ...args: readonly string[]): Promise<Ran> {
  const model = ["--model", "openai-compatible:m", "--base-url", `${server.url}/v1`];
  const finished = await runToycoder(
    ["run", ...args, ...model, "--allow", "write_file", "--output", "json"],
    { cwd: folder.root },
  );
  const result = finished.stdout === "" ? undefined : (JSON.parse(finished.stdout) as RunResult);
  return { ...finished, result: result as RunResult };
}

const eventsFile = (folder: TempWorkspace, id: string): string =>
  folder.path(`.state/sessions/${id}/events.jsonl`);
const typesIn = (folder: TempWorkspace, id: string): string[] =>
  readFileSync(eventsFile(folder, id), "utf8")
    .trim()
    .split("\n")
    .map((line) => (JSON.parse(line) as { type: string }).type);
const messagesOf = (request: unknown): unknown[] => (request as { messages: unknown[] }).messages;

describe("toycoder run --resume", () => {
  it("goes on after a limit without a task, and after the end with one, with exactly the messages so far", async () => {
    const turns = [
      { calls: [write("a.txt")] },
      { calls: [write("b.txt")] },
      { text: "Done." },
      { text: "Well." },
    ];
    await using server = await modelServer(turns);
    await using undisturbed = await modelServer(turns);
    using folder = tempWorkspace();
    using other = tempWorkspace();
    const first = await runOn(server, folder, "Do it.", "--max-turns", "1");
    expect(first).toMatchObject({ code: 7, result: { turns: 1, changes: [{ path: "a.txt" }] } });
    const id = first.result.sessionId;
    const second = await runOn(server, folder, "--resume", id.slice(0, -2));
    expect(second).toMatchObject({
      code: 0,
      result: { sessionId: id, text: "Done.", turns: 2, toolCalls: 1, changes: [{ path: "b.txt" }] },
    });
    const third = await runOn(server, folder, "--resume", "last", "And now?");
    expect(third).toMatchObject({ code: 0, result: { sessionId: id, text: "Well.", changes: [] } });

    await runOn(undisturbed, other, "Do it.");
    for (const index of [1, 2])
      expect(messagesOf(server.requests[index]).slice(1)).toEqual(
        messagesOf(undisturbed.requests[index]).slice(1),
      );
    expect(messagesOf(server.requests[3]).slice(-2)).toEqual([
      { role: "assistant", content: "Done." },
      { role: "user", content: "And now?" },
    ]);
    const list = await runToycoder(["sessions", "--json"], { cwd: folder.root });
    expect(JSON.parse(list.stdout) as SessionSummary[]).toMatchObject([
      {
        id,
        status: "completed",
        turns: 4,
        changedFiles: ["a.txt", "b.txt"],
        task: "Do it.",
        workspace: folder.root,
      },
    ]);
  });

  it("needs a task where the session is at its end, and never waits for stdin: exit 2", async () => {
    await using server = await modelServer([{ text: "Done." }]);
    using folder = tempWorkspace();
    await runOn(server, folder, "Do it.");
    const { code, stderr } = await runOn(server, folder, "--resume", "last");
    expect(code).toBe(2);
    expect(stderr).toContain("is at its end: it needs a new task to go on");
    expect((await runToycoder(["run", "x", "--fork"], { cwd: folder.root })).code).toBe(2);
  });

  it("--fork goes on in a copy and leaves the session as it is", async () => {
    await using server = await modelServer([{ text: "One." }, { text: "Two." }]);
    using folder = tempWorkspace();
    const { result } = await runOn(server, folder, "Do it.");
    const before = readFileSync(eventsFile(folder, result.sessionId));
    const fork = await runOn(server, folder, "--resume", "last", "--fork", "More.");
    expect(fork).toMatchObject({ code: 0, result: { text: "Two." } });
    expect(fork.result.sessionId).not.toBe(result.sessionId);
    expect(readFileSync(eventsFile(folder, result.sessionId))).toEqual(before);
    expect(messagesOf(server.requests[1])).toHaveLength(4);
  });

  it("drops a torn line with a note, and marks a call without a result as uncertain", async () => {
    await using server = await modelServer([
      { calls: [write("a.txt")] },
      { text: "Done." },
      { text: "Looked." },
    ]);
    using folder = tempWorkspace();
    const { result } = await runOn(server, folder, "Do it.");
    const file = eventsFile(folder, result.sessionId);
    const lines = readFileSync(file, "utf8").split("\n");
    const at = lines.findIndex((line) => line.includes('"type":"tool_result"'));
    writeFileSync(file, `${lines.slice(0, at).join("\n")}\n${lines[at]?.slice(0, 40)}`);
    const ended = await runToycoder(
      ["run", "--resume", "last", "--model", "openai-compatible:m", "--base-url", `${server.url}/v1`],
      { cwd: folder.root },
    );
    expect(ended.code).toBe(0);
    expect(ended.stderr).toContain("the last line of the session was cut off");
    expect(ended.stderr).toContain("may or may not have run, and are not repeated: write_file");
    const sent = messagesOf(server.requests[2]).at(-1);
    expect(sent).toMatchObject({ role: "tool", content: expect.stringContaining("Error (uncertain)") });
    expect(typesIn(folder, result.sessionId).filter((type) => type === "tool_result")).toHaveLength(1);
  });

  it("reads what an earlier run spilled", async () => {
    const big = "x".repeat(40_000);
    const read = (path: string) => ({ name: "read_file", arguments: { path } });
    await using server = await modelServer([
      { calls: [{ name: "grep_search", arguments: { pattern: "line", limit: 2000 } }] },
      { text: "Long." },
      { calls: [read("session:call_0_0.txt")] },
      { text: "Read." },
    ]);
    using folder = tempWorkspace({ "many.txt": `line ${big.slice(0, 60)}\n`.repeat(2000) });
    await runOn(server, folder, "Do it.");
    expect(JSON.stringify(server.requests[1])).toContain("session:call_0_0.txt");
    const { code } = await runOn(server, folder, "--resume", "last", "Read on.");
    expect(code).toBe(0);
    expect(messagesOf(server.requests[3]).at(-1)).toMatchObject({
      role: "tool",
      content: expect.stringContaining("session:call_0_0.txt"),
    });
  });

  it("is a cassette that plays, task by task", async () => {
    await using server = await modelServer([
      { calls: [write("a.txt")] },
      { text: "One." },
      { calls: [write("b.txt")] },
      { text: "Two." },
    ]);
    using folder = tempWorkspace();
    const { result } = await runOn(server, folder, "Do it.");
    await runOn(server, folder, "--resume", "last", "More.");
    using again = tempWorkspace({ "c.jsonl": readFileSync(eventsFile(folder, result.sessionId)) });
    const play = ["--model", "replay:c.jsonl", "--allow", "write_file"];
    const one = await runToycoder(["run", "Do it.", ...play], { cwd: again.root });
    expect([one.code, one.stdout]).toEqual([0, "One.\n"]);
    const two = await runToycoder(["run", "--resume", "last", "More.", ...play], { cwd: again.root });
    expect([two.code, two.stdout]).toEqual([0, "Two.\n"]);
    expect(existsSync(again.path("b.txt"))).toBe(true);
  });

  it.each([
    [
      "no such session",
      async () => {},
      ["--resume", "2020"],
      "session_not_found",
      'there is no session "2020"',
    ],
    [
      "a broken line in the middle",
      async (file: string) =>
        writeFileSync(file, readFileSync(file, "utf8").replace('"type":"user"', '"type:"user"')),
      ["--resume", "last", "x"],
      "session_damaged",
      "events.jsonl:3: ",
    ],
    [
      "a newer format",
      async (file: string) => writeFileSync(file, readFileSync(file, "utf8").replaceAll('"v":1', '"v":2')),
      ["--resume", "last", "x"],
      "session_version",
      "format version 2 is not known here",
    ],
  ])("3: %s", async (_, spoil, args, code, message) => {
    await using server = await modelServer([{ text: "Done." }]);
    using folder = tempWorkspace();
    const { result } = await runOn(server, folder, "Do it.");
    await spoil(eventsFile(folder, result.sessionId));
    expect(await runOn(server, folder, ...args)).toMatchObject({
      code: 3,
      result: { error: { code, message: expect.stringContaining(message) } },
    });
  });

  it("3: the session belongs to another workspace", async () => {
    await using server = await modelServer([{ text: "Done." }]);
    using folder = tempWorkspace({ "one/x": "", "two/x": "" });
    const { result } = await runOn(server, folder, "Do it.", "--cwd", "one");
    const ran = await runOn(server, folder, "--resume", result.sessionId, "x", "--cwd", "two");
    expect(ran).toMatchObject({ code: 3, result: { error: { code: "session_workspace" } } });
    expect(await runOn(server, folder, "--resume", "last", "x", "--cwd", "two")).toMatchObject({
      code: 3,
      result: { error: { code: "session_not_found" } },
    });
  });
});

describe("a session that is being written", () => {
  it("is closed to a second run, to undo and to rm: exit 3 with process and session", async () => {
    const waiting = {
      calls: [{ name: "run_command", arguments: { command: "touch up; sleep 60", timeout: 60 } }],
    };
    await using server = await modelServer([waiting]);
    using folder = tempWorkspace();
    const model = [
      "--model",
      "openai-compatible:m",
      "--base-url",
      `${server.url}/v1`,
      "--allow",
      "run_command",
    ];
    const { child, done } = startToycoder(["run", "x", ...model], { cwd: folder.root });
    await expect.poll(() => existsSync(folder.path("up")), { timeout: 15_000 }).toBe(true);
    const [id = ""] = readdirSync(folder.path(".state/sessions")).filter((name) => !name.startsWith("."));
    const message = `the session ${id} is being written by process ${child.pid}`;
    for (const args of [["run", "--resume", "last", "y", ...model], ["undo"], ["sessions", "rm", id]]) {
      const { code, stderr } = await runToycoder(args, { cwd: folder.root });
      expect([args[0], code, stderr]).toEqual([args[0], 3, expect.stringContaining(message)]);
    }
    const list = await runToycoder(["sessions", "--json"], { cwd: folder.root });
    expect(JSON.parse(list.stdout)).toMatchObject([{ status: "running", pid: child.pid }]);
    const all = await runToycoder(["sessions", "rm", "--all"], { cwd: folder.root });
    expect([all.code, existsSync(folder.path(`.state/sessions/${id}`))]).toEqual([0, true]);
    child.kill("SIGTERM");
    expect((await done).code).toBe(143);
    expect((await runToycoder(["sessions", "rm", id], { cwd: folder.root })).code).toBe(0);
    expect(existsSync(folder.path(`.state/sessions/${id}`))).toBe(false);
  });
});
