import { readdirSync } from "node:fs";
import type { AgentEvent, RunResult } from "@toycoder/agent";
import { tempWorkspace, type TempWorkspace } from "@toycoder/testing";
import { describe, expect, it } from "vitest";
import type { Answer } from "../test-support/answer.ts";
import { type ModelServer, modelServer } from "../test-support/model-server.ts";
import { processesWith } from "../test-support/processes.ts";
import { runToycoder, startToycoder } from "../test-support/run-toycoder.ts";

const isSubagent = (request: unknown): boolean => JSON.stringify(request).includes("You are a subagent");
const TASK = { name: "task", arguments: { description: "Wait", prompt: "Wait for it." } };

/** Plays one list of answers for the run, another for its subagent. */
function playing(run: readonly Answer[], subagent: readonly Answer[]): (request: unknown) => Answer {
  const left = { run: [...run], subagent: [...subagent] };
  return (request) => left[isSubagent(request) ? "subagent" : "run"].shift() ?? { text: "too many" };
}

const argsFor = ({ url }: ModelServer, ...more: string[]): string[] => {
  const model = ["--model", "openai-compatible:m", "--base-url", `${url}/v1`, "--output", "stream-json"];
  return ["run", ...model, "--allow", "task", "--allow", "run_command", ...more];
};

const linesOf = (stdout: string): AgentEvent[] =>
  stdout
    .trim()
    .split("\n")
    .map((line) => JSON.parse(line) as AgentEvent);

const resultOf = (stdout: string): RunResult => {
  const last = linesOf(stdout).at(-1);
  if (last?.type !== "result") throw new Error("no result");
  return last.result;
};

const eventsIn = (folder: TempWorkspace): string => {
  const [session] = readdirSync(folder.path(".state/sessions"));
  return folder.read(`.state/sessions/${session}/events.jsonl`);
};

/** The module of a plugin with these tools, which take no arguments: `input` is their schema. */
const pluginWith = (...tools: string[]): string => `import { definePlugin, defineTool } from "toycoder";
const object = () => ({ type: "object", properties: {} });
const jsonSchema = { input: object, output: object };
const input = { "~standard": { version: 1, vendor: "x", validate: (value) => ({ value }), jsonSchema } };
const setup = () => ({ tools: [${tools.join(", ")}] });
export default definePlugin({ name: "mine", version: "1.0.0", api: 1, setup });
`;

describe("a subagent of a run", () => {
  it("does its part; its lines name the call that they belong to, in the session's file, too", async () => {
    const answers = playing(
      [{ calls: [TASK] }, { text: "All done." }],
      [{ calls: [{ name: "read_file", arguments: { path: "a.txt" } }] }, { text: "It says hello." }],
    );
    await using server = await modelServer(answers);
    using folder = tempWorkspace({ "a.txt": "hello\n" });
    const { code, stdout } = await runToycoder(argsFor(server, "Do it."), { cwd: folder.root });
    expect(code).toBe(0);
    expect(resultOf(stdout)).toMatchObject({ text: "All done.", turns: 4, toolCalls: 2 });
    const nested = linesOf(stdout).filter(({ parent }) => parent !== undefined);
    expect(nested.map(({ type }) => type)).toEqual(
      expect.arrayContaining(["user", "tool_call", "tool_result"]),
    );
    expect(eventsIn(folder)).toContain('"parent":"call_0_0"');
    expect(JSON.stringify(server.requests.at(-1))).toContain("It says hello.");
  });

  it("stopped in the middle leaves no process, and the session goes on", async () => {
    const sleep = { name: "run_command", arguments: { command: "sleep 7306.3", timeout: 60 } };
    const answers = playing([{ calls: [TASK] }, { text: "Gone on." }], [{ calls: [sleep] }]);
    await using server = await modelServer(answers);
    using folder = tempWorkspace();
    const { child, done } = startToycoder(argsFor(server, "Do it."), { cwd: folder.root });
    await new Promise<void>((resolve) => {
      let seen = "";
      child.stdout!.on("data", (chunk: Buffer) => {
        seen += chunk.toString();
        if (seen.includes('"tool":"run_command"')) resolve();
      });
    });
    child.kill("SIGTERM");
    const ended = await done;
    expect(ended.code).toBe(143);
    expect(resultOf(ended.stdout)).toMatchObject({ status: "cancelled", exitCode: 143 });
    expect(processesWith("sleep\x007306.3")).toEqual([]);
    const resumed = await runToycoder(argsFor(server, "--resume", "last", "Go on."), { cwd: folder.root });
    expect(resultOf(resumed.stdout)).toMatchObject({ status: "completed", text: "Gone on." });
    expect(JSON.stringify(server.requests.at(-1))).toContain('"Go on."');
    expect(JSON.stringify(server.requests.at(-1))).not.toContain("sleep 7306");
  });
});

describe("the agent's own tools", () => {
  it("are listed: task is disabled until it is named", async () => {
    using folder = tempWorkspace();
    const { stdout } = await runToycoder(["tools"], { cwd: folder.root });
    expect(stdout).toMatch(/^task +dangerous, disabled/m);
    expect(stdout).toMatch(/^tool_search +safe /m);
    const { stdout: allowed } = await runToycoder(["tools", "--allow", "task"], { cwd: folder.root });
    expect(allowed).toMatch(/^task +dangerous {2}/m);
  });

  it("a run without need is not offered them; one with fewer visible tools is offered tool_search", async () => {
    await using server = await modelServer(() => ({ text: "Hi." }));
    using folder = tempWorkspace();
    const names = async (config: object): Promise<string[]> => {
      folder.write("toycoder.config.json", JSON.stringify(config));
      const args = ["run", "x", "--model", "openai-compatible:m", "--base-url", `${server.url}/v1`];
      await runToycoder(args, { cwd: folder.root });
      const { tools } = server.requests.at(-1) as { tools: { function: { name: string } }[] };
      return tools.map((tool) => tool.function.name);
    };
    expect(await names({})).not.toContain("tool_search");
    expect(await names({ tools: { maxVisible: 3 } })).toEqual([
      "ask_user",
      "edit_file",
      "glob_search",
      "tool_search",
    ]);
    expect(await names({ tools: { alias: { read_file: "view" } } })).toContain("view");
  });

  it.each([
    [
      { tools: { versions: { read_file: "^9" } } },
      "tools.versions: there is no version ^9 of the tool read_file",
    ],
    [{ tools: { versions: { reed_file: "^1" } } }, "there is no tool reed_file"],
    [
      { tools: { alias: { read_file: "write_file" } } },
      "tools.alias: read_file cannot be offered as write_file",
    ],
    [
      { tools: { alias: { read_file: "x", write_file: "x" } } },
      "tools.alias: write_file cannot be offered as x",
    ],
    [{ plugins: ["./mine.js"] }, "the tool tool_search of mine has the name of a tool of the agent"],
  ])("%j is refused: %s", async (config, message) => {
    using folder = tempWorkspace({
      "toycoder.config.json": JSON.stringify(config),
      "mine.js": pluginWith(
        'defineTool({ name: "tool_search", description: "Mine.", input, execute: () => "" })',
      ),
    });
    const { code, stderr } = await runToycoder(["tools"], { cwd: folder.root });
    expect(stderr).toContain(message);
    expect(code).toBe(3);
  });

  it("a pinned version is the one that runs", async () => {
    const tool = (version: string) =>
      `defineTool({ name: "where", version: "${version}", description: "Says its version.", input, execute: () => "it is ${version}" })`;
    using folder = tempWorkspace({
      "toycoder.config.json": JSON.stringify({
        plugins: ["./mine.js"],
        tools: { versions: { where: "^1" } },
      }),
      "mine.js": pluginWith(tool("1.2.0"), tool("2.0.0")),
    });
    const { stdout } = await runToycoder(["tools", "call", "where", "{}"], { cwd: folder.root });
    expect(stdout).toBe("it is 1.2.0\n");
  });
});
