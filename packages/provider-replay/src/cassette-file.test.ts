import { appendFileSync, mkdirSync, writeFileSync } from "node:fs";
import { isSetupError, type Message, type Model, type ModelEvent, type SetupError } from "@toycoder/core";
import { tempWorkspace } from "@toycoder/testing";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { replayModel } from "./replay-model.ts";

let folder: ReturnType<typeof tempWorkspace>;
let file: string;

beforeEach(() => {
  folder = tempWorkspace();
  file = folder.path("c.jsonl");
});
afterEach(() => folder[Symbol.dispose]());

const line = (type: string, more: object = {}): string => JSON.stringify({ v: 1, type, turn: 1, ...more });
const START = line("turn_start", { tools: [] });
const CALL = line("tool_call", { callId: "1", name: "a", arguments: {} });
const END = line("turn_end", { finish: "stop" });
const said = (text: string): string => [START, line("text", { text }), END, ""].join("\n");

const ask = (model: Model, messages: readonly Message[] = []): Promise<ModelEvent[]> => {
  const { signal } = new AbortController();
  return Array.fromAsync(model.stream({ instructions: "", messages, tools: [] }, { signal }));
};

async function failure(run: () => unknown): Promise<SetupError> {
  try {
    await run();
  } catch (error) {
    if (isSetupError(error)) return error;
    throw error;
  }
  throw new Error("it did not fail");
}

describe("what a cassette may be", () => {
  it.each([
    ["CR LF", said("grüße").replaceAll("\n", "\r\n")],
    ["a byte order mark", `\uFEFF${said("grüße")}`],
    ["no final line end", said("grüße").trimEnd()],
    ["empty lines", said("grüße").replaceAll("\n", "\n\n  \n")],
    ["lines of other types", [line("status", { text: 1 }), said("grüße"), line("x")].join("\n")],
    ["no version, and fields that nobody knows", said("grüße").replaceAll('"v":1', '"vv":[1]')],
  ])("plays %s", async (_, content) => {
    writeFileSync(file, content);
    expect(await ask(replayModel(file))).toContainEqual({ type: "text", text: "grüße" });
  });

  it("plays a cassette of 100 MB, also where lines lie across its pieces", async () => {
    const other = `${line("other", { content: "ü".repeat(500_000) })}\n`;
    writeFileSync(file, "");
    for (let count = 0; count < 100; count++) appendFileSync(file, other);
    appendFileSync(file, said("at last"));
    expect(await ask(replayModel(file))).toContainEqual({ type: "text", text: "at last" });
  });
});

it("plays a session with a subagent: its turns between those of the run", async () => {
  const task = (type: string, more: object = {}): string => line(type, { parent: "1", ...more });
  const lines = [
    START,
    CALL,
    line("usage", { inputTokens: 1 }),
    line("usage", { inputTokens: 9, purpose: "compaction" }),
    task("turn_start", { tools: [] }),
    task("text", { text: "inner" }),
    task("turn_end", { finish: "stop" }),
    line("tool_result", { callId: "1", name: "a", ok: true }),
    line("turn_end", { finish: "tool_calls" }),
    said("outer").replaceAll('"turn":1', '"turn":2'),
  ];
  writeFileSync(file, lines.join("\n"));
  const model = replayModel(file);
  expect(await ask(model)).toContainEqual({
    type: "usage",
    usage: expect.objectContaining({ inputTokens: 1 }) as unknown,
  });
  expect(await ask(model)).toContainEqual({ type: "text", text: "inner" });
  const failed = { callId: "1", name: "a", ok: false, code: "timeout", content: [] };
  expect((await failure(() => ask(model, [{ role: "tool", results: [failed] }]))).message).toContain(
    "line 8  a → ok\n  now     a → timeout",
  );
});

describe("what it may not be", () => {
  it("says that a folder is none", async () => {
    mkdirSync(file);
    expect(await failure(() => replayModel(file))).toMatchObject({
      code: "cassette_invalid",
      message: `${file} is a folder; a cassette is a file`,
    });
  });

  it("names the line that is no UTF-8", async () => {
    writeFileSync(file, Buffer.concat([Buffer.from(`${START}\n`), Buffer.from([0x22, 0xff, 0x22, 0x0a])]));
    expect(await failure(() => replayModel(file))).toMatchObject({
      code: "cassette_invalid",
      message: `${file}:2: this line is no UTF-8 text`,
    });
  });

  it("tells a file that breaks off from a wrong line", async () => {
    writeFileSync(file, said("whole text").slice(0, 70));
    expect((await failure(() => replayModel(file))).message).toBe(
      `${file}:2: the file breaks off in the middle of this line`,
    );
    writeFileSync(file, `${START}\n{"type":\n${END}\n`);
    expect((await failure(() => replayModel(file))).message).toContain(`${file}:2: `);
    expect((await failure(() => replayModel(file))).message).not.toContain("breaks off");
  });

  it("plays as far as turns are whole, and takes no half answer for an end", async () => {
    writeFileSync(file, `${said("one")}${START}\n${line("text", { text: "ha" })}\n`);
    const model = replayModel(file);
    expect(await ask(model)).toContainEqual({ type: "text", text: "one" });
    expect(await failure(() => ask(model))).toMatchObject({
      code: "cassette_invalid",
      message: `${file}:4: turn 2 was not recorded to its end (it has no turn_end)`,
    });
  });

  it("says of a newer format what to do", async () => {
    writeFileSync(file, said("x").replaceAll('"v":1', '"v":2'));
    expect(await failure(() => replayModel(file))).toMatchObject({
      message: `${file}:1: format version 2 is not known here; this version reads 1`,
      hint: "it was recorded by a newer ToyCoder: update this one",
    });
    writeFileSync(file, said("x").replaceAll('"v":1', '"v":"1"'));
    expect(await failure(() => replayModel(file))).toMatchObject({ hint: "record it anew with --record" });
  });

  it("refuses a call id twice in a turn, and takes it again in the next", async () => {
    writeFileSync(file, [START, CALL, CALL, END].join("\n"));
    expect((await failure(() => replayModel(file))).message).toBe(
      `${file}:3: the call id 1 comes twice in this turn`,
    );
    writeFileSync(file, [START, CALL, END, START, CALL, END].join("\n"));
    expect(await ask(replayModel(file))).toHaveLength(3);
  });
});
