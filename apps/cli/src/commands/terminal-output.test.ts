import { tempWorkspace } from "@toycoder/testing";
import { describe, expect, it } from "vitest";
import type { Answer } from "../test-support/answer.ts";
import { modelServer } from "../test-support/model-server.ts";
import { startToycoder } from "../test-support/run-toycoder.ts";
import { hasTerminal, KEY, openTerminal } from "../test-support/terminal.ts";

const ANSWERS: readonly Answer[] = [
  { calls: [{ name: "write_file", arguments: { path: "a.txt", content: "one\n" } }] },
  { text: "# Done\n\nIt is **written**.\n" },
];
const ESCAPE = "\u001b";

/** What `toycoder run` writes in a terminal, its exit code 0. */
async function inTerminal(
  env: Record<string, string>,
  ...args: string[]
): Promise<{ raw: string; text: string }> {
  await using server = await modelServer(ANSWERS);
  using folder = tempWorkspace();
  const model = ["--model", "openai-compatible:m", "--base-url", `${server.url}/v1`, "--allow", "write_file"];
  await using terminal = openTerminal(["run", "x", ...model, ...args], { cwd: folder.root, env });
  expect(await terminal.done).toBe(0);
  return { raw: terminal.raw, text: terminal.text };
}

describe.skipIf(!hasTerminal)("toycoder in a terminal of script(1)", () => {
  it("shows what happens in colour, with live lines, and renders the answer", async () => {
    const { raw, text } = await inTerminal({});
    expect(raw).toContain(`${ESCAPE}[32m+one${ESCAPE}[39m`);
    expect(raw).toContain(`\r${ESCAPE}[J`);
    expect(raw).toContain(`It is ${ESCAPE}[1mwritten${ESCAPE}[22m.`);
    expect(text).toContain("Done\n\nIt is written.\n");
  });

  it("keeps NO_COLOR, and the answer's Markdown as it is", async () => {
    const { raw } = await inTerminal({ NO_COLOR: "1" });
    expect(raw.replaceAll(`${ESCAPE}[J`, "")).not.toContain(ESCAPE);
    expect(raw.replaceAll("\r", "")).toContain("# Done\n\nIt is **written**.\n");
  });

  it("writes no escape sequence where TERM is dumb", async () => {
    const { raw } = await inTerminal({ TERM: "dumb" });
    expect(raw).not.toContain(ESCAPE);
    expect(raw).toContain("✓ write_file a.txt");
  });

  it("--quiet leaves the answer alone", async () => {
    const { text } = await inTerminal({}, "--quiet");
    expect(text).toBe("Done\n\nIt is written.\n");
  });

  it.each([
    [["tools", "call", "read_file", '{"path":"evil.txt"}'], "1: a"],
    [["explain", "read_file", JSON.stringify({ path: `${ESCAPE}]0;owned\u0007b` })], "read b"],
    [["sessions", "show", `${ESCAPE}]0;owned\u0007c`], "there is no session"],
  ])("lets no escape sequence through: %j", async (args, shown) => {
    using folder = tempWorkspace({ "evil.txt": `a${ESCAPE}]0;owned\u0007\n` });
    await using terminal = openTerminal(args, { cwd: folder.root });
    await terminal.shows(shown);
    await terminal.done;
    expect(terminal.raw).not.toMatch(/\u001b|\u0007/);
  });

  it("Ctrl-C stops it: exit 130", async () => {
    const calls = [{ name: "run_command", arguments: { command: "sleep 7312.5", timeout: 60 } }];
    await using server = await modelServer([{ calls }]);
    using folder = tempWorkspace();
    const model = [
      "--model",
      "openai-compatible:m",
      "--base-url",
      `${server.url}/v1`,
      "--allow",
      "run_command",
    ];
    await using terminal = openTerminal(["run", "x", ...model], { cwd: folder.root });
    await terminal.shows("… run_command sleep 7312.5");
    terminal.type(KEY.ctrlC);
    expect(await terminal.done).toBe(130);
  });
});

it("under FORCE_COLOR colours the progress of a pipe, and never the answer", async () => {
  await using server = await modelServer(ANSWERS);
  using folder = tempWorkspace();
  const model = ["--model", "openai-compatible:m", "--base-url", `${server.url}/v1`, "--allow", "write_file"];
  const { done } = startToycoder(["run", "x", ...model], { cwd: folder.root, env: { FORCE_COLOR: "1" } });
  const { code, stdout, stderr } = await done;
  expect([code, stdout]).toEqual([0, "# Done\n\nIt is **written**.\n"]);
  expect(stderr).toContain(`${ESCAPE}[32m+one`);
});

it("--quiet and --verbose together are wrong use: exit 2", async () => {
  using folder = tempWorkspace();
  const { done } = startToycoder(["run", "x", "--quiet", "--verbose"], { cwd: folder.root });
  expect((await done).code).toBe(2);
});
