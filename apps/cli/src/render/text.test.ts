import { emptyResult, type EventBody, type Nested, type RunResult, stamp } from "@toycoder/agent";
import { text } from "@toycoder/core";
import { describe, expect, it } from "vitest";
import { fakeTerminal } from "../test-support/fake-terminal.ts";
import { type TextOptions, textRenderer } from "./text.ts";

function render(
  bodies: readonly Parameters<typeof stamp>[0][],
  options?: TextOptions,
  terminal = fakeTerminal({ isTTY: false }),
): string[] {
  const { stream, written } = terminal;
  const renderer = textRenderer(stream, stream, options);
  for (const body of bodies) renderer.event(stamp(body));
  return written.join("").trimEnd().split("\n");
}

const called = (callId: string, name: string, args: object, parent?: string): EventBody & Nested => ({
  type: "tool_call",
  turn: 1,
  callId,
  name,
  arguments: { ...args },
  ...(parent !== undefined && { parent }),
});
const ended = (callId: string, name: string, parent?: string, content = ""): EventBody & Nested => ({
  type: "tool_result",
  turn: 1,
  callId,
  name,
  ok: true,
  content: [text(content)],
  notes: [],
  durationMs: 5,
  ...(parent !== undefined && { parent }),
});

it("shows a subagent's calls within its own, though their ids are the same", () => {
  const lines = render([
    { type: "turn_start", turn: 1, tools: [] },
    called("c1", "task", { description: "Look around", prompt: "…" }),
    { type: "turn_start", turn: 1, tools: [], parent: "c1" },
    { type: "text", turn: 1, text: "Hidden.", parent: "c1" },
    called("c1", "read_file", { path: "a.txt" }, "c1"),
    ended("c1", "read_file", "c1"),
    ended("c1", "task"),
  ]);
  expect(lines).toEqual(["turn 1", "      ✓ read_file a.txt  5 ms", "  ✓ task Look around  5 ms"]);
});

it("tells that the conversation was shortened", () => {
  const lines = render([
    {
      type: "compaction",
      turn: 9,
      reason: "near",
      dropped: 4,
      summary: "s",
      tokensBefore: 900,
      tokensAfter: 300,
    },
  ]);
  expect(lines).toEqual(["  the conversation is shortened from 900 to 300 tokens"]);
});

const decided = (
  callId: string,
  tool: string,
  kind: "write" | "exec",
  rule: string | null = null,
): EventBody & Nested => ({
  type: "decision",
  callId,
  tool,
  decision: rule === null ? "ask" : "allow",
  rule,
  reason: "",
  effects: [{ kind, path: "a.txt", implied: false, opaque: false }],
});

const diff = `edited\n--- a/a.txt\n+++ b/a.txt\n@@ -1 +1,60 @@\n-old\n${"+new\n".repeat(60)}`;

it("says of a call what it did and by which rule, and shows what it changed", () => {
  const lines = render([
    called("c1", "edit_file", { path: "a.txt" }),
    decided("c1", "edit_file", "write", "edit_file"),
    ended("c1", "edit_file", undefined, diff),
    called("c2", "run_command", { command: "git diff" }),
    decided("c2", "run_command", "exec"),
    ended("c2", "run_command", undefined, `[exit 0 · 0.1 s]\n${diff}`),
  ]);
  expect(lines[0]).toBe("  ✓ edit_file a.txt  write, 5 ms, allowed by edit_file");
  expect(lines.slice(1, 5)).toEqual(["    --- a/a.txt", "    +++ b/a.txt", "    @@ -1 +1,60 @@", "    -old"]);
  expect(lines.slice(-2)).toEqual([
    "    … 24 more lines",
    "  ✓ run_command git diff  exec, exit 0 · 0.1 s, 5 ms, asked, allowed",
  ]);
});

describe("on a terminal", () => {
  it("has a live line for each tool that runs, with its time, effect and decision", () => {
    let at = 0;
    const terminal = fakeTerminal({ columns: 120 });
    const renderer = textRenderer(terminal.stream, terminal.stream, { now: () => at });
    const tell = (body: Parameters<typeof stamp>[0]): void => renderer.event(stamp(body));
    tell({ type: "turn_start", turn: 1, tools: [] });
    at = 61_000;
    tell({ type: "text_delta", turn: 1, text: "Let me\nlook at \u001b[2Jit" });
    expect(terminal.written.at(-1)).toBe("\r\u001b[J  look at it (1 min 1 s)");
    tell(called("c1", "run_command", { command: "npm test" }));
    tell(called("c2", "edit_file", { path: "b.txt" }));
    tell(decided("c1", "run_command", "exec", "run_command"));
    at = 64_000;
    tell(decided("c2", "edit_file", "write"));
    tell({ type: "tool_progress", callId: "c1", tool: "run_command", message: "5 passed\n" });
    expect(terminal.written.at(-1)).toContain(
      "  … run_command npm test (3 s, exec, allowed by run_command) 5 passed\n  … edit_file b.txt (0 s, write, asked, allowed)",
    );
    tell(ended("c1", "run_command"));
    expect(terminal.written.slice(-3).join("")).toMatch(
      /^\u001b\[1A\r\u001b\[J {2}✓ run_command.*\n {2}… edit_file/,
    );
    renderer.result(emptyResult("completed", null));
    expect(terminal.written.slice(-2).join("")).toMatch(/^\r\u001b\[Jcompleted/);
  });

  it("lets no control character of a model, a tool or a file through", () => {
    const evil = "\u001b]0;owned\u0007\u001b[2J\u009b31m\r";
    const bodies: Parameters<typeof stamp>[0][] = [
      { type: "session_start", sessionId: evil, model: evil, workspace: evil, task: evil },
      { type: "turn_start", turn: 1, tools: [] },
      { type: "text_delta", turn: 1, text: evil },
      { type: "reasoning", turn: 1, text: evil },
      { type: "text", turn: 1, text: evil },
      called("c", evil, { path: evil }),
      { ...called("d", "x", {}), arguments: evil } as EventBody,
      decided("c", evil, "write", evil),
      { type: "tool_progress", callId: "c", tool: evil, message: evil },
      ended("c", evil, undefined, `${evil}\n--- ${evil}\n@@ ${evil}\n+${evil}`),
      { type: "retry", turn: 1, attempt: 1, delayMs: 1, error: { code: evil, message: evil } },
      { type: "notice", code: "x", message: evil },
    ];
    const terminal = fakeTerminal();
    render(bodies, { detail: "verbose" }, terminal);
    const result: RunResult = {
      ...emptyResult("denied", { code: evil, message: evil, hint: evil }),
      text: evil,
      changes: [{ path: evil, kind: "created", additions: 1, deletions: 0 }],
      denials: [
        {
          tool: evil,
          arguments: { path: evil },
          code: evil,
          rule: evil,
          suggestion: evil,
          suggestions: [evil],
        },
      ],
    };
    textRenderer(terminal.stream, terminal.stream).result(result);
    const own = /\u001b\[(?:\d+A|J)|\r(?=\u001b\[J)/g;
    expect(terminal.written.join("").replaceAll(own, "")).not.toMatch(/[^\P{Cc}\n]/u);
  });

  it("wraps at the width of the moment", () => {
    const terminal = fakeTerminal({ columns: 30 });
    const say: EventBody = { type: "notice", code: "x", message: "one two three four five six" };
    expect(render([say], {}, terminal)).toEqual(["  ! one two three four five", "  six"]);
    terminal.written.length = 0;
    terminal.stream.columns = 20;
    expect(render([say], {}, terminal)).toEqual(["  ! one two three", "  four five six"]);
  });
});

it("--quiet shows the answer and errors alone; --verbose results, usage and reasoning, too", () => {
  const bodies: EventBody[] = [
    { type: "turn_start", turn: 1, tools: [] },
    { type: "reasoning", turn: 1, text: "Hm." },
    called("c", "read_file", { path: "a" }),
    {
      type: "usage",
      turn: 1,
      costUsd: 0.5,
      inputTokens: 7,
      outputTokens: 2,
      cacheReadTokens: 0,
      cacheWriteTokens: 0,
      reasoningTokens: 0,
    },
    ended("c", "read_file", undefined, Array.from({ length: 10 }, (_, at) => `line ${at}`).join("\n")),
  ];
  expect(render(bodies, { detail: "quiet" })).toEqual([""]);
  expect(render(bodies, { detail: "verbose" })).toEqual([
    "turn 1",
    "  Hm.",
    "  7 tokens in, 2 out, $0.5000",
    "  ✓ read_file a  5 ms",
    ...Array.from({ length: 8 }, (_, at) => `    line ${at}`),
    "    … 2 more lines",
  ]);
  const quiet = (result: RunResult): string => {
    const { stream, written } = fakeTerminal({ isTTY: false });
    textRenderer(stream, stream, { detail: "quiet" }).result(result);
    return written.join("");
  };
  expect(quiet({ ...emptyResult("completed", null), text: "Answer." })).toBe("Answer.\n");
  expect(quiet(emptyResult("provider_error", { code: "auth", message: "no key" }))).toBe(
    "provider_error (exit 4)\n  no key\n",
  );
});
