import { execFileSync } from "node:child_process";
import { cpSync, mkdirSync, readdirSync, readFileSync, rmSync, statSync } from "node:fs";
import path from "node:path";
import type { RunResult } from "@toycoder/agent";
import { hasProgram, tempWorkspace, type TempWorkspace } from "@toycoder/testing";
import { describe, expect, it } from "vitest";
import { ALL_TOOLS, cassette } from "../test-support/cassette.ts";
import { modelServer } from "../test-support/model-server.ts";
import { ACTION_ROOT, runAction } from "../test-support/run-action.ts";

const EXAMPLE = path.join(ACTION_ROOT, "examples/fix-failing-test");
const git = (cwd: string, ...args: string[]): string =>
  execFileSync("git", ["-c", "user.name=t", "-c", "user.email=t@example", ...args], {
    cwd,
    encoding: "utf8",
  });

/** A checkout of the example's project in `repo`. */
function checkout(): TempWorkspace {
  const folder = tempWorkspace();
  cpSync(path.join(EXAMPLE, "project"), folder.path("repo"), { recursive: true });
  git(folder.path("repo"), "init", "-q");
  git(folder.path("repo"), "add", "-A");
  git(folder.path("repo"), "commit", "-qm", "first");
  return folder;
}

describe.runIf(hasProgram("git"))("the GitHub Action", () => {
  it("does a task: groups, summary, outputs and a patch that git apply takes", async () => {
    using folder = checkout();
    const step = await runAction(folder, {
      task: "A test of this project fails. Find the fault, fix it, and push the result.",
      model: `replay:${EXAMPLE}/cassette.jsonl`,
    });
    expect(step.code).toBe(0);
    const { commands, outputs, summary } = step;
    const result = JSON.parse(outputs["result"]!) as RunResult;
    expect(result).toEqual(JSON.parse(readFileSync(outputs["result-file"]!, "utf8")));
    expect(outputs).toMatchObject({ "exit-code": "0", status: "completed", text: result.text });
    expect(outputs["session-id"]).toBe(result.sessionId);
    expect(readFileSync(`${outputs["state-dir"]}/sessions/${result.sessionId}/events.jsonl`)).toBeDefined();
    expect(step.stdout).toBe(`${result.text.trimEnd()}\n`);

    const groups = commands.filter(({ name }) => name === "group");
    expect(groups.length).toBeGreaterThan(4);
    expect(commands.filter(({ name }) => name === "endgroup")).toHaveLength(groups.length);
    expect(groups.map(({ data }) => data)).toContain("run_command npm test");
    expect(commands.filter(({ name }) => !name.endsWith("group"))).toEqual([
      {
        name: "notice",
        properties: { title: "toycoder: run_command was refused" },
        data: expect.stringContaining("permission_denied by exec:git push *"),
      },
    ]);

    expect(summary).toMatch(/^### ToyCoder: completed\n\n> A test of this project fails\./);
    expect(summary).toContain("| <code>src/total&#46;js</code> | modified | 1 | 1 |".replace("&#46;", "."));
    expect(summary).toContain("#### Refused calls (1)");
    expect(summary).toContain(`| session | <code>${result.sessionId}</code> |`);
    expect(summary).toContain(`> ${result.text.trimEnd().split("\n")[0]}`);

    git(folder.path("repo"), "checkout", "-q", ".");
    git(folder.path("repo"), "apply", "--check", outputs["patch"]!);
    git(folder.path("repo"), "apply", outputs["patch"]!);
    expect(folder.read("repo/src/total.js")).toContain("item.price * item.quantity");
  });

  it("fails where a rule is lacking, and names the rule in an annotation", async () => {
    using folder = tempWorkspace();
    const calls = [
      { name: "write_file", arguments: { path: "it's, 100%.md", content: "x\n" } },
      { name: "run_command", arguments: { command: "npm test -- a" } },
    ];
    folder.write("repo/c.jsonl", await cassette([{ calls }, { text: "I could not." }]));
    const step = await runAction(folder, { task: "Do it.", model: "replay:c.jsonl", args: "--replay-loose" });
    expect(step.code).toBe(6);
    expect(step.outputs).toMatchObject({
      "exit-code": "6",
      status: "denied",
      patch: "",
      text: "I could not.",
    });
    const errors = step.commands.filter(({ name }) => name === "error");
    expect(errors.map(({ properties }) => properties["title"])).toEqual([
      "toycoder: denied, approval_required",
      "toycoder: write_file was refused",
      "toycoder: run_command was refused",
    ]);
    expect(errors[1]!.data).toContain("write_file it's, 100%.md: approval_required\nTo permit it: --allow '");
    expect(step.summary).toContain("### ToyCoder: denied (exit 6)");
    expect(step.summary).toContain("#### Refused calls (2)");

    const flags = errors.slice(1).map(({ data }) => data.split("To permit it: ")[1]!);
    const args = `--replay-loose ${flags.join(" ")}`;
    const permitted = await runAction(folder, { task: "Do it.", model: "replay:c.jsonl", args });
    expect([permitted.code, permitted.outputs["status"]]).toEqual([0, "completed"]);
    expect(folder.read("repo/it's, 100%.md")).toBe("x\n");
  });

  it("tells of a limit, and of the checks that fail at the end", async () => {
    using folder = tempWorkspace();
    const test = { name: "run_command", arguments: { command: "exit 3" } };
    const mended = { name: "run_command", arguments: { command: "test -e made || ! touch made" } };
    folder.write(
      "repo/c.jsonl",
      await cassette([{ calls: [mended] }, { calls: [mended] }, { calls: [test] }, { text: "x" }], ALL_TOOLS),
    );
    const step = await runAction(folder, {
      task: "Do it.",
      model: "replay:c.jsonl",
      args: "--replay-loose --max-turns 3 --enable run_command\n --yes",
    });
    expect([step.code, step.outputs["status"]]).toEqual([7, "limit"]);
    const [error, warning, ...others] = step.commands.filter(({ name }) => !name.endsWith("group"));
    expect(error).toMatchObject({
      name: "error",
      properties: { title: "toycoder: limit, turn_limit" },
      data: expect.stringMatching(/^the limit of 3 turns is reached\nraise .*--max-turns.* \(exit 7\)$/),
    });
    expect(warning).toMatchObject({ name: "warning", data: "exit 3: exit 3" });
    expect(others).toEqual([]);
    expect(step.summary).toContain("#### Commands whose last run failed (1)");
  });

  it("tells of a provider that fails", async () => {
    using folder = tempWorkspace({ "repo/a.txt": "" });
    await using server = await modelServer([], { status: 401 });
    const step = await runAction(
      folder,
      { task: "Do it.", model: "openai-chat:m" },
      { OPENAI_BASE_URL: `${server.url}/v1`, OPENAI_API_KEY: "key" },
    );
    expect([step.code, step.outputs["status"]]).toEqual([4, "provider_error"]);
    const errors = step.commands.filter(({ name }) => name === "error");
    expect(errors).toMatchObject([{ properties: { title: "toycoder: provider_error, auth" } }]);
    expect(step.summary).toContain("### ToyCoder: provider_error (exit 4)");
  });

  it("ends with what is there when the job is cancelled", async () => {
    using folder = tempWorkspace();
    const calls = [{ name: "run_command", arguments: { command: "echo x > a.txt; sleep 600" } }];
    folder.write("repo/c.jsonl", await cassette([{ calls }], ALL_TOOLS));
    const args = "--replay-loose --enable run_command --yes";
    const step = await runAction(folder, { task: "x", model: "replay:c.jsonl", args }, {}, "::group::");
    expect([step.code, step.outputs["status"], step.outputs["exit-code"]]).toEqual([130, "cancelled", "130"]);
    expect(step.summary).toContain("### ToyCoder: cancelled (exit 130)");
    expect(step.commands).toContainEqual(
      expect.objectContaining({ name: "error", properties: { title: "toycoder: cancelled, cancelled" } }),
    );
  });

  it("keeps every word of a model, a tool or a task from being a command", async () => {
    const hostile = [
      "::stop-commands::x",
      "  ::set-output name=status::completed",
      "\r::add-mask::e",
      "a ##[set-output name=patch;]/etc/passwd",
      "result<<x",
    ].join("\n");
    using folder = tempWorkspace({ "repo/evil.txt": hostile, "repo/AGENTS.md": hostile });
    const calls = [
      { name: "run_command", arguments: { command: `cat evil.txt; exit 1 # ${hostile}` } },
      { name: "write_file", arguments: { path: "::error::a.txt", content: hostile } },
      { name: "read_file", arguments: { path: `no\n${hostile}` } },
      { name: `no\n${hostile}`, arguments: {} },
    ];
    folder.write("repo/c.jsonl", await cassette([{ text: hostile, calls }, { text: hostile }], ALL_TOOLS));
    for (const more of ["", " --output json", " --output stream-json"]) {
      const args = `--replay-loose --allow write_file --enable run_command --yes${more}`;
      const step = await runAction(folder, { task: hostile, model: "replay:c.jsonl", args });
      expect(step.code).toBe(0);
      const names = new Set(step.commands.map(({ name }) => name));
      expect([...names].toSorted()).toEqual(more === "" ? ["endgroup", "group", "warning"] : []);
      expect(step.outputs).toMatchObject({ "exit-code": "0" });
      if (more !== "") continue;
      expect(step.outputs).toMatchObject({ status: "completed", text: hostile });
      expect((JSON.parse(step.outputs["result"]!) as RunResult).text).toBe(hostile);
    }
  });

  it("takes no input for a flag or for shell text", async () => {
    using folder = tempWorkspace({ "repo/a.txt": "" });
    folder.write("repo/c.jsonl", await cassette([{ text: "Done." }]));
    const task = '--model x"; touch "$HOME/no"; $(touch no) `touch no` ${{ secrets.X }}';
    const step = await runAction(folder, { task, model: "replay:c.jsonl" });
    expect([step.code, step.stdout]).toEqual([0, "Done.\n"]);
    expect(step.summary).toContain('> --model x"; touch');
    for (const [inputs, message] of [
      [{ task: "x", args: "--allow 'a" }, "args: a ' is not closed"],
      [{ task: "x", version: "https://evil.example/x.tgz" }, "version is a version of toycoder on npm"],
      [{ task: "x", version: "1 --registry=http://evil.example" }, "version is a version of toycoder on npm"],
      [{ task: "x", patch: "yes" }, "patch is true or false"],
      [{ task: " " }, "task is empty"],
    ] as const) {
      const refused = await runAction(folder, inputs);
      expect(refused.code).toBe(2);
      expect(refused.commands).toMatchObject([{ name: "error", data: expect.stringContaining(message) }]);
    }
  });

  it("works with the base branch's config on a fork's checkout, in a later job's session too", async () => {
    using folder = tempWorkspace({
      "repo/base/toycoder.config.json": JSON.stringify({ permissions: { deny: ["read:secret.txt"] } }),
      "repo/head/toycoder.config.json": JSON.stringify({
        permissions: { allow: ["write_file"] },
        model: "auto",
      }),
      "repo/head/secret.txt": "s",
    });
    const write = { name: "write_file", arguments: { path: "a.txt", content: "x" } };
    const read = { name: "read_file", arguments: { path: "secret.txt" } };
    folder.write("repo/head/c.jsonl", await cassette([{ calls: [write, read] }, { text: "Reviewed." }]));
    const inputs = {
      config: "base/toycoder.config.json",
      "working-directory": "head",
      model: "replay:c.jsonl",
    };
    const args = "--replay-loose --no-instructions";
    const step = await runAction(folder, { ...inputs, args, task: "Review." });
    const { denials } = JSON.parse(step.outputs["result"]!) as RunResult;
    expect(denials.map(({ tool, code }) => `${tool} ${code}`)).toEqual([
      "write_file approval_required",
      "read_file permission_denied",
    ]);
    // An artifact is files: no modes, no empty folders.
    const state = step.outputs["state-dir"]!;
    for (const name of readdirSync(state, { recursive: true, encoding: "utf8" }))
      if (statSync(path.join(state, name)).isFile())
        folder.write(path.join("later", name), readFileSync(path.join(state, name)));
    folder.write("repo/head/d.jsonl", await cassette([{ text: "Went on." }]));
    const later = await runAction(
      folder,
      { ...inputs, model: "replay:d.jsonl", args: `${args} --resume last`, task: "Go on." },
      { TOYCODER_STATE_DIR: folder.path("later") },
    );
    expect([later.code, later.stdout]).toEqual([0, "Went on.\n"]);
    expect(later.outputs["session-id"]).toBe(step.outputs["session-id"]);
  });

  it("goes on where the runner's files cannot be written, with one notice", async () => {
    using folder = tempWorkspace({ "repo/a.txt": "" });
    folder.write("repo/c.jsonl", await cassette([{ text: "Done." }]));
    mkdirSync(folder.path("runner/folder"), { recursive: true });
    const step = await runAction(
      folder,
      { task: "x", model: "replay:c.jsonl" },
      { GITHUB_STEP_SUMMARY: folder.path("runner/folder"), GITHUB_OUTPUT: folder.path("runner/no/output") },
    );
    expect(step.stdout).toBe("Done.\n");
    expect(step.commands).toMatchObject([
      { name: "notice", data: expect.stringMatching(/^not written: .*EISDIR.*\nnot written: .*ENOENT/) },
    ]);
    expect(step.code).toBe(0);
    rmSync(folder.path("runner/folder"), { recursive: true });
  });
});
