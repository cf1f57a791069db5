import { existsSync, readdirSync, readFileSync, statSync } from "node:fs";
import { type TempWorkspace, tempWorkspace } from "@toycoder/testing";
import { describe, expect, it } from "vitest";
import type { Answer } from "../test-support/answer.ts";
import { modelServer, type ModelServer } from "../test-support/model-server.ts";
import { processesWith } from "../test-support/processes.ts";
import { runToycoder } from "../test-support/run-toycoder.ts";
import { hasTerminal, KEY, openTerminal, type Terminal } from "../test-support/terminal.ts";

const write = (path: string, content = "new\n"): Answer => ({
  calls: [{ name: "write_file", arguments: { path, content } }],
});
const command = (line: string): Answer => ({
  calls: [{ name: "run_command", arguments: { command: line, timeout: 60 } }],
});
const said = (text: string): Answer => ({ text });
const ALWAYS = `${KEY.down}${KEY.enter}`;
const NO = `${KEY.down}${KEY.down}${KEY.enter}`;

function chat(server: ModelServer, folder: TempWorkspace, ...args: readonly string[]): Terminal {
  const model = ["--model", "openai-compatible:m", "--base-url", `${server.url}/v1`];
  return openTerminal(["chat", ...model, ...args], { cwd: folder.root });
}

/** Enters a line at the next prompt. */
async function enter(terminal: Terminal, line: string): Promise<void> {
  await terminal.shows("> ");
  terminal.type(`${line}${KEY.enter}`);
}

const sessions = (folder: TempWorkspace): string[] =>
  readdirSync(folder.path(".state/sessions")).filter((name) => !name.startsWith("."));
const messagesOf = (request: unknown): { role: string; content: string }[] =>
  (request as { messages: { role: string; content: string }[] }).messages;

describe.skipIf(!hasTerminal)("toycoder chat, in a terminal of script(1)", () => {
  it("asks for an approval, which is given once, always, or not; with the change, its effects and the rule", async () => {
    const answers = ["a.txt", "a.txt", "a.txt", "b.txt"].flatMap((path, turn) => [
      write(path, `${turn}\n`),
      said(`Turn ${turn} over.`),
    ]);
    await using server = await modelServer(answers);
    using folder = tempWorkspace();
    await using terminal = chat(server, folder, "Write it.");
    for (const line of ["+0", "write a.txt", "the level sensitive is set to ask", "May write_file do this?"])
      await terminal.shows(line);
    expect(existsSync(folder.path("a.txt"))).toBe(false);
    terminal.type(KEY.enter);
    await terminal.shows("Turn 0 over.");
    expect(folder.read("a.txt")).toBe("0\n");

    await enter(terminal, "Again.");
    for (const line of ["-0", "+1", "adds the rule write_file(./a.txt)"]) await terminal.shows(line);
    terminal.type(ALWAYS);
    await terminal.shows("Turn 1 over.");
    await enter(terminal, "And again.");
    await terminal.shows("allowed by write_file(./a.txt)");
    await terminal.shows("Turn 2 over.");
    expect(folder.read("a.txt")).toBe("2\n");

    await enter(terminal, "Another.");
    await terminal.shows("May write_file do this?");
    terminal.type(NO);
    await terminal.shows("said no to this call");
    await terminal.shows("Turn 3 over.");
    expect(existsSync(folder.path("b.txt"))).toBe(false);
    await enter(terminal, "/exit");
    expect(await terminal.done).toBe(0);
    expect(sessions(folder)).toHaveLength(1);
  });

  it("asks once for calls of one turn that the same rule covers, and not with --yes", async () => {
    const both: Answer = {
      calls: [...(write("a.txt", "1").calls ?? []), ...(write("a.txt", "2").calls ?? [])],
    };
    await using server = await modelServer([both, said("Both."), both, said("Both.")]);
    using folder = tempWorkspace();
    {
      await using terminal = chat(server, folder, "x");
      await terminal.shows("May write_file do this?");
      terminal.type(ALWAYS);
      await terminal.shows("Both.");
      expect(terminal.text.match(/◇ {2}May write_file do this\?/g)).toHaveLength(1);
    }
    await using terminal = chat(server, folder, "x", "--yes");
    await terminal.shows("Both.");
    expect(terminal.text).not.toContain("May write_file");
  });

  it("Ctrl-C at one of two questions drops the other, and the prompt comes back", async () => {
    const both: Answer = { calls: [...(write("a.txt").calls ?? []), ...(write("b.txt").calls ?? [])] };
    await using server = await modelServer([both, said("Fine.")]);
    using folder = tempWorkspace();
    await using terminal = chat(server, folder, "x");
    await terminal.shows("May write_file do this?");
    terminal.type(KEY.ctrlC);
    await terminal.shows("stopped, 1 turn, 2 calls");
    expect(terminal.text.match(/\? write_file/g)).toHaveLength(1);
    await enter(terminal, "y");
    await terminal.shows("Fine.");
  });

  it("enables a dangerous tool, which then asks", async () => {
    const turn = [command("echo made > made.txt"), said("Over.")];
    await using server = await modelServer([...turn, ...turn]);
    using folder = tempWorkspace();
    await using terminal = chat(server, folder, "Run it.");
    await terminal.shows("/tool enable run_command");
    await enter(terminal, "/tool enabel run_command");
    await terminal.shows("did you mean /tool enable?");
    await enter(terminal, "/tool enable run_command");
    await terminal.shows("run_command is enabled for this session");
    await enter(terminal, "Run it.");
    for (const line of [
      "? run_command",
      "echo made > made.txt",
      "write made.txt",
      "exec echo made",
      "May run_command",
    ])
      await terminal.shows(line);
    expect(existsSync(folder.path("made.txt"))).toBe(false);
    terminal.type(KEY.enter);
    await terminal.shows("Over.");
    expect(folder.read("made.txt")).toBe("made\n");
    await enter(terminal, "/tool list");
    await terminal.shows("run_command  dangerous\n");
  });

  it("answers ask_user, with one of its options or something else", async () => {
    const ask = (options: string[]): Answer => ({
      calls: [{ name: "ask_user", arguments: { question: "Which one?", options } }],
    });
    await using server = await modelServer([ask(["npm", "pnpm"]), ask(["a", "b"]), ask([]), said("Over.")]);
    using folder = tempWorkspace();
    await using terminal = chat(server, folder, "x");
    await terminal.shows("Which one?");
    terminal.type(ALWAYS);
    await terminal.shows("✓ ask_user");
    await terminal.shows("something else …");
    terminal.type(NO);
    await terminal.shows("◆  Which one?");
    terminal.type(`漢字${KEY.enter}`);
    await terminal.shows("✓ ask_user");
    await terminal.shows("◆  Which one?");
    terminal.type(`free${KEY.enter}`);
    await terminal.shows("Over.");
    const results = messagesOf(server.requests[3]).filter(({ role }) => role === "tool");
    expect(results.map(({ content }) => content)).toEqual(["pnpm", "漢字", "free"]);
  });

  it("Ctrl-C stops the turn and what runs in it, or waits for an answer; twice at the prompt leaves with 130", async () => {
    await using server = await modelServer([command("sleep 7311.5"), write("a.txt"), said("Going on.")]);
    using folder = tempWorkspace();
    await using terminal = chat(server, folder, "x", "--allow", "run_command");
    await terminal.shows("… run_command sleep 7311.5");
    terminal.type(KEY.ctrlC);
    await terminal.shows("stopped, 1 turn");
    await expect.poll(() => processesWith("sleep\u00007311.5")).toEqual([]);
    await enter(terminal, "y");
    await terminal.shows("May write_file do this?");
    terminal.type(KEY.ctrlC);
    await terminal.shows("stopped, 1 turn");
    expect(existsSync(folder.path("a.txt"))).toBe(false);
    await enter(terminal, "z");
    await terminal.shows("Going on.");
    expect(messagesOf(server.requests[2]).map(({ role }) => role)).toEqual(
      "system user assistant tool user assistant tool user".split(" "),
    );
    await terminal.shows("> ");
    terminal.type(`abc${KEY.ctrlC}`);
    await terminal.shows("> ");
    terminal.type(KEY.ctrlC);
    await terminal.shows("Ctrl-C again leaves");
    await terminal.shows("> ");
    terminal.type(KEY.ctrlC);
    expect(await terminal.done).toBe(130);
  });

  it("/new begins a session without approvals and enabled tools; /reset takes approvals back", async () => {
    const turns = Array.from({ length: 3 }, (_, at) => [
      write("a.txt", String(at)),
      said(`Over ${at}.`),
    ]).flat();
    await using server = await modelServer(turns);
    using folder = tempWorkspace();
    await using terminal = chat(server, folder);
    await enter(terminal, "/approve write_fiel");
    await terminal.shows("did you mean write_file?");
    await enter(terminal, "/approve write_file(*.txt)");
    await terminal.shows("approved for this session");
    await enter(terminal, "/tool enable run_command");
    await enter(terminal, "one");
    await terminal.shows("allowed by write_file(*.txt)");
    await enter(terminal, "/reset");
    await terminal.shows("taken back: 1 approval");
    await enter(terminal, "two");
    await terminal.shows("May write_file do this?");
    terminal.type(ALWAYS);
    await terminal.shows("Over 1.");
    await enter(terminal, "/new");
    await terminal.shows("a new session: ");
    await enter(terminal, "/tool");
    await terminal.shows("run_command  dangerous, disabled");
    await enter(terminal, "three");
    await terminal.shows("May write_file do this?");
    terminal.type(NO);
    await terminal.shows("Over 2.");
    expect(messagesOf(server.requests[4]).map(({ role }) => role)).toEqual(["system", "user"]);
    expect(sessions(folder)).toHaveLength(2);
  });

  it("goes on in a session with --resume; /undo, /cost, /model; an unknown command gets the nearest one", async () => {
    await using server = await modelServer([write("a.txt"), said("One."), said("Two."), said("Three.")]);
    using folder = tempWorkspace({ "a.txt": "old\n" });
    {
      await using terminal = chat(server, folder, "First task.", "--allow", "write_file");
      await terminal.shows("One.");
      await enter(terminal, "/undo");
      await terminal.shows("restored a.txt");
      expect(folder.read("a.txt")).toBe("old\n");
      await enter(terminal, "/cots");
      await terminal.shows("did you mean /cost?");
      await enter(terminal, "/cost");
      await terminal.shows("2 turns, 200 tokens in, 20 out");
      await terminal.shows("> ");
      terminal.type(KEY.ctrlD);
      expect(await terminal.done).toBe(0);
    }
    await using terminal = chat(server, folder, "--resume", "last");
    await terminal.shows("goes on after 2 turns");
    await terminal.shows("First task.");
    await enter(terminal, "Second task.");
    await terminal.shows("Two.");
    const resumed = messagesOf(server.requests[2]);
    expect(resumed.map(({ role }) => role)).toEqual([
      "system",
      "user",
      "assistant",
      "tool",
      "assistant",
      "user",
    ]);
    expect(JSON.stringify(resumed.at(-1))).toContain("has undone your changes of a.txt");
    await enter(terminal, "/model openai-compatible:other");
    await terminal.shows("openai-compatible:other");
    await enter(terminal, "Third task.");
    await terminal.shows("Three.");
    expect(server.requests[3]).toMatchObject({ model: "other" });
    expect(sessions(folder)).toHaveLength(1);
  });

  it("takes several lines, by a backslash or pasted, and keeps what was entered for the next chat", async () => {
    await using server = await modelServer([said("One."), said("Two."), said("Three.")]);
    using folder = tempWorkspace();
    {
      await using terminal = chat(server, folder);
      await enter(terminal, `first \\${KEY.enter}second`);
      await terminal.shows("One.");
      await terminal.shows("> ");
      terminal.type("\u001b[200~a\rb\\\r\tc\u001b[201~");
      await terminal.shows("c");
      terminal.type(` d${KEY.enter}`);
      await terminal.shows("Two.");
    }
    expect(messagesOf(server.requests[0]).at(-1)).toEqual({ role: "user", content: "first \nsecond" });
    expect(messagesOf(server.requests[1]).at(-1)).toEqual({ role: "user", content: "a\nb\\\n\tc d" });
    const file = folder.path(".state/chat-history.jsonl");
    expect(statSync(file).mode & 0o777).toBe(0o600);
    expect(readFileSync(file, "utf8")).toBe('"first \\nsecond"\n"a\\nb\\\\\\n\\tc d"\n');
    await using terminal = chat(server, folder);
    await terminal.shows("> ");
    terminal.type(KEY.up);
    await terminal.shows("c d");
    terminal.type(`!${KEY.enter}`);
    await terminal.shows("Three.");
    expect(messagesOf(server.requests[2]).at(-1)).toEqual({ role: "user", content: "a\nb\\\n\tc d!" });
  });

  it("lets no control character of the model through, not even in a question", async () => {
    const evil = "\u001b]0;owned\u0007\u001b[2J\u009b31m";
    await using server = await modelServer([
      { text: `**hi** ${evil}`, ...write(`a${evil}.txt`, evil) },
      { calls: [{ name: "ask_user", arguments: { question: `q${evil}`, options: [`o${evil}`] } }] },
      said(`bye ${evil}\n\nend`),
    ]);
    using folder = tempWorkspace();
    await using terminal = chat(server, folder, "x");
    await terminal.shows("May write_file do this?");
    terminal.type(NO);
    await terminal.shows("something else …");
    terminal.type(KEY.enter);
    await terminal.shows("end");
    await terminal.shows("> ");
    expect(terminal.raw).toContain("\u001b[1mhi\u001b[22m");
    for (const part of ["\u001b]0;", "\u0007", "\u001b[2J", "\u009b"])
      expect(terminal.raw).not.toContain(part);
  });

  it.each([
    ["SIGTERM", 143, "7313.5"],
    ["SIGHUP", 143, "7314.5"],
  ] as const)("ends at %s with %i, and so does what runs", async (signal, code, seconds) => {
    await using server = await modelServer([command(`sleep ${seconds}`)]);
    using folder = tempWorkspace();
    await using terminal = chat(server, folder, "x", "--allow", "run_command");
    await terminal.shows(`… run_command sleep ${seconds}`);
    // The other one is script(1) around it.
    process.kill(Number(processesWith(server.url).at(-1)), signal);
    expect(await terminal.done).toBe(code);
    expect(processesWith(`sleep\u0000${seconds}`)).toEqual([]);
  });

  it("ends a task at a provider's error and goes on", async () => {
    await using server = await modelServer([
      { failure: { status: 401, body: { error: { message: "bad key" } } } },
      said("Fine."),
    ]);
    using folder = tempWorkspace();
    await using terminal = chat(server, folder, "x");
    await terminal.shows("provider_error");
    await enter(terminal, "y");
    await terminal.shows("Fine.");
    await enter(terminal, "/exit");
    expect(await terminal.done).toBe(0);
  });
});

it.skipIf(!hasTerminal)("is no command for a terminal without a cursor: exit 2", async () => {
  using folder = tempWorkspace();
  await using terminal = openTerminal(["chat", "x"], { cwd: folder.root, env: { TERM: "dumb" } });
  await terminal.shows("TERM is dumb");
  expect(await terminal.done).toBe(2);
});

it("is no command for a pipe: exit 2, with the one that is", async () => {
  using folder = tempWorkspace();
  const { code, stderr } = await runToycoder(["chat", "x"], { cwd: folder.root });
  expect([code, stderr]).toEqual([2, expect.stringContaining("toycoder run")]);
});
