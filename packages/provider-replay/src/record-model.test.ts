import { existsSync, globSync, readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { createMask, type Model, NO_USAGE } from "@toycoder/core";
import { scriptedModel, tempWorkspace } from "@toycoder/testing";
import { Ajv2020, type ValidateFunction } from "ajv/dist/2020.js";
import { beforeAll, describe, expect, it } from "vitest";
import { recordModel, type RecordOptions } from "./record-model.ts";
import { replayModel } from "./replay-model.ts";

const ROOT = fileURLToPath(new URL("../../..", import.meta.url));

async function record(model: Model, turns = 1, options: RecordOptions = {}): Promise<string[]> {
  const lines: string[] = [];
  const recording = recordModel(model, (line) => void lines.push(line), options);
  const { signal } = new AbortController();
  for (let turn = 0; turn < turns; turn++) {
    for await (const event of recording.stream({ instructions: "", messages: [], tools: [] }, { signal }))
      void event;
  }
  return lines;
}

const priced = (costUsd?: number): Model => ({
  id: "priced",
  async *stream() {
    yield {
      type: "usage",
      usage: { ...NO_USAGE, inputTokens: 5 },
      ...(costUsd !== undefined && { costUsd }),
    };
    yield await Promise.resolve({ type: "finish", reason: "stop" });
  },
});

describe("recordModel", () => {
  it.each([0.0125, 0, undefined])("keeps a cost of %j, and plays it", async (cost) => {
    using folder = tempWorkspace({ "c.jsonl": (await record(priced(cost))).join("\n") });
    const { signal } = new AbortController();
    const model = replayModel(folder.path("c.jsonl"));
    const events = await Array.fromAsync(
      model.stream({ instructions: "", messages: [], tools: [] }, { signal }),
    );
    const usage = events.find((event) => event.type === "usage");
    expect([usage?.usage.inputTokens, usage?.costUsd]).toEqual([5, cost]);
  });

  it("leaves out what is asked aside of the conversation", async () => {
    const lines: string[] = [];
    const model = recordModel(scriptedModel([{ text: "a summary" }]), (line) => void lines.push(line));
    const request = { instructions: "", messages: [], tools: [], aside: true } as const;
    const events = await Array.fromAsync(model.stream(request, { signal: new AbortController().signal }));
    expect(events).toContainEqual({ type: "text", text: "a summary" });
    expect(lines).toEqual([]);
  });

  it("holds no secret, in whatever text it comes", async () => {
    const secret = 'sk-ant-"quoted"-1234';
    const escaped = JSON.stringify(secret).slice(1, -1);
    const masks = [createMask({ KEY: escaped }), createMask({ KEY: secret })];
    const model = scriptedModel([
      {
        text: `The key is ${secret.slice(0, 4)}${secret.slice(4)}.`,
        reasoning: secret,
        calls: [
          { name: "a", arguments: JSON.stringify({ key: secret }) },
          { name: "b", arguments: { deep: [{ [secret]: secret }] } },
        ],
      },
    ]);
    const mask = (text: string): string => masks.reduce((masked, one) => one(masked), text);
    const lines = await record(model, 1, { mask });
    expect(lines.join("\n")).not.toContain("1234");
    expect(lines.join("\n").match(/\[credential KEY\]/g)).toHaveLength(5);
    for (const line of lines) JSON.parse(line);
  });

  it("is as its model is, at any time", () => {
    const model = { id: "one", contextWindow: 5, stream: scriptedModel([]).stream };
    const recording = recordModel(model, () => {});
    expect(recording).toMatchObject({ id: "one", contextWindow: 5 });
    Object.assign(model, { id: "two", prices: { input: 1, output: 1 } });
    expect(recording).toMatchObject({ id: "two", prices: { input: 1 } });
  });
});

describe("the schema of a line", () => {
  let valid: ValidateFunction;

  beforeAll(() => {
    const file = fileURLToPath(new URL("../schemas/cassette-line.schema.json", import.meta.url));
    const schema = JSON.parse(readFileSync(file, "utf8")) as object;
    valid = new Ajv2020({
      strict: true,
      allowUnionTypes: true,
      strictRequired: false,
      validateFormats: false,
    }).compile(schema);
  });

  const problems = (lines: readonly string[]): unknown[] =>
    lines.flatMap((line) => (valid(JSON.parse(line)) ? [] : [{ line, errors: valid.errors }]));

  it("fits what is recorded", async () => {
    const model = scriptedModel([
      {
        text: "x",
        reasoning: "y",
        calls: [
          { name: "a", arguments: "{" },
          { name: "b", arguments: {} },
        ],
      },
      { finish: "length" },
    ]);
    const lines = [...(await record(model, 2)), ...(await record(priced(0.5)))];
    expect(lines.length).toBeGreaterThan(10);
    expect(problems(lines)).toEqual([]);
  });

  it("fits every cassette of the repository", () => {
    const files = globSync(["examples/**/*.jsonl", "{packages,apps}/*/fixtures/**/cassette*.jsonl"], {
      cwd: ROOT,
      exclude: (name) => name === "node_modules",
    });
    expect(files).toContain("examples/fix-failing-test/cassette.jsonl");
    for (const file of files.filter((one) => existsSync(`${ROOT}/${one}`))) {
      expect([file, problems(readFileSync(`${ROOT}/${file}`, "utf8").trim().split("\n"))]).toEqual([
        file,
        [],
      ]);
    }
  });

  it.each([
    { type: "turn_start", tools: [] },
    { v: 2, type: "turn_start", tools: [] },
    { v: 1, type: "turn_start" },
    { v: 1, type: "text" },
    { v: 1, type: "tool_call", callId: "1", name: "a", arguments: 5 },
    { v: 1, type: "turn_end", finish: "end" },
    { v: 1, type: "tool_result", callId: "1" },
    { v: 1, type: "usage", inputTokens: 1, outputTokens: 1, costUsd: "1" },
  ])("refuses %j", (line) => {
    expect(valid(line)).toBe(false);
  });

  it("lets other types be", () => {
    expect(valid({ v: 1, type: "notice", message: 5 })).toBe(true);
  });
});
