import {
  createPolicy,
  createSession,
  createWorkspace,
  defineTool,
  type JsonSchema,
  type PolicyOptions,
  textOf,
  ToolRegistry,
} from "@toycoder/core";
import { type ScriptedModel, scriptedModel, type ScriptedTurn, tempWorkspace } from "@toycoder/testing";
import { describe, expect, it } from "vitest";
import { z } from "zod";
import { answerSchema } from "./answer-schema.ts";
import type { AgentEvent } from "./event.ts";
import type { Limits } from "./limits.ts";
import type { RunResult } from "./result.ts";
import { runAgent } from "./run-agent.ts";

const save = defineTool({
  name: "save",
  description: "Saves a text.",
  permission: "sensitive",
  input: z.object({ text: z.string() }),
  execute: ({ text }) => text,
});

const COUNT = {
  type: "object",
  properties: { count: { type: "integer", minimum: 0 }, names: { type: "array", items: { type: "string" } } },
  required: ["count"],
  additionalProperties: false,
};

interface Played {
  result: RunResult;
  model: ScriptedModel;
  events: AgentEvent[];
}

async function play(
  schema: unknown,
  turns: readonly (ScriptedTurn | string)[],
  { limits, policy = {} }: { limits?: Limits; policy?: Omit<PolicyOptions, "root"> } = {},
): Promise<Played> {
  using folder = tempWorkspace();
  const registry = new ToolRegistry();
  registry.register(save);
  const workspace = createWorkspace({ root: folder.root });
  const session = createSession({
    registry,
    workspace,
    policy: createPolicy({ root: workspace.root, ...policy }),
  });
  const model = scriptedModel(turns.map((turn) => (typeof turn === "string" ? { text: turn } : turn)));
  const output = await answerSchema(schema);
  const events: AgentEvent[] = [];
  for await (const event of runAgent({
    model,
    session,
    task: "Count.",
    instructions: "Be brief.",
    limits,
    output,
  }))
    events.push(event);
  const last = events.at(-1);
  if (last?.type !== "result") throw new Error("no result");
  return { result: last.result, model, events };
}

/** What the model was told last. */
const told = (model: ScriptedModel): string => {
  const last = model.requests.at(-1)!.messages.at(-1)!;
  return last.role === "user" ? textOf(last.content) : "";
};

describe("an answer that must fit a schema", () => {
  it("is asked for in every request, by the provider's means and in words", async () => {
    const { result, model } = await play(
      COUNT,
      [{ text: "I look.", calls: [{ name: "save", arguments: { text: "x" } }] }, '{"count": 2}'],
      { policy: { allow: ["save"] } },
    );
    expect(result).toMatchObject({
      status: "completed",
      exitCode: 0,
      output: { count: 2 },
      text: '{"count": 2}',
    });
    expect(model.requests).toHaveLength(2);
    for (const { outputSchema, instructions } of model.requests) {
      expect(outputSchema).toEqual(COUNT);
      expect(instructions).toContain("Be brief.");
      expect(instructions).toContain(JSON.stringify(COUNT));
    }
  });

  it.each([
    ["in a fence", 'Here it is:\n\n```json\n{ "count": 1 }\n```\nDone.', '{ "count": 1 }'],
    ["in a bare fence, with CRLF", '```\r\n{"count":1}\r\n```', '{"count":1}'],
    [
      "in the last fence that is JSON",
      '```json\n{"count":7}\n```\n```json\n{"count":1}\n```\n```sh\nls\n```',
      '{"count":1}',
    ],
    ["with a fence in a text", '```json\n{"count":1,"names":["```"]}\n```', '{"count":1,"names":["```"]}'],
    ["bare, with white space around it", '\ufeff\n {"count":1}\n\n', '{"count":1}'],
  ])("is read %s", async (_, answer, text) => {
    const { result } = await play(COUNT, [answer]);
    expect(result).toMatchObject({ status: "completed", output: { count: 1 }, text });
  });

  it("that is wrong goes back with everything that is wrong, and is put right", async () => {
    const { result, model, events } = await play(COUNT, [
      '{"count":"2","names":[1],"more":true}',
      '{"count":2}',
    ]);
    expect(result).toMatchObject({ status: "completed", output: { count: 2 }, turns: 2 });
    expect(told(model)).toMatch(/^- count: expected an integer.*"2"/m);
    expect(told(model)).toMatch(/^- names\[0\]: expected a string/m);
    expect(told(model)).toMatch(/^- more: /m);
    // Both are kept, so that the conversation can be taken up again.
    expect(events.map(({ type }) => type)).toContain("notice");
    expect(events.filter(({ type }) => type === "user")).toHaveLength(2);
  });

  it("that stays wrong after two repairs ends the run with 5 and says why", async () => {
    const { result, model } = await play(COUNT, ["Two files.", "{}", '{"count":-1}', '{"count":1}']);
    expect(model.requests).toHaveLength(3);
    expect(result).toMatchObject({
      status: "output_invalid",
      exitCode: 5,
      output: null,
      text: '{"count":-1}',
    });
    expect(result.error).toMatchObject({
      code: "output_invalid",
      message: expect.stringContaining("count: ") as string,
    });
    expect(model.requests[1]!.messages.at(-1)).toMatchObject({
      content: [{ text: expect.stringContaining("not JSON") as string }],
    });
  });

  it.each<[string, readonly ScriptedTurn[], Limits, Partial<RunResult>]>([
    ["a refusal", [{ text: "No.", finish: "refusal" }], {}, { status: "provider_error", exitCode: 4 }],
    ["a cut answer", [{ text: '{"count":', finish: "length" }], {}, { status: "limit", exitCode: 7 }],
    [
      "the limit of turns",
      [{ text: "no" }, { text: "no" }, { text: "no" }],
      { turns: 2 },
      { status: "limit", exitCode: 7 },
    ],
  ])("gives way to %s", async (_, turns, limits, expected) => {
    expect((await play(COUNT, turns, { limits })).result).toMatchObject({ ...expected, output: null });
  });

  it("gives way to a rule that is lacking, and is told where it fits", async () => {
    const calls = [{ name: "save", arguments: { text: "x" } }];
    const fits = await play(COUNT, [{ calls }, '{"count":0}']);
    expect(fits.result).toMatchObject({ status: "denied", exitCode: 6, output: { count: 0 } });
    const not = await play(COUNT, [{ calls }, "I may not."]);
    expect(not.result).toMatchObject({ status: "denied", exitCode: 6, output: null, turns: 2 });
  });
});

describe("a schema that is no object at its root", () => {
  const LIST = {
    type: "array",
    items: { $ref: "#/definitions/name" },
    definitions: { name: { type: "string" } },
  };

  it("is asked for in an object, and the value taken out of it", async () => {
    const { result, model } = await play(LIST, ['{"value":["a"]}']);
    expect(result).toMatchObject({ status: "completed", output: ["a"], text: '["a"]' });
    expect(model.requests[0]!.outputSchema).toEqual({
      type: "object",
      properties: { value: { type: "array", items: { $ref: "#/$defs/name" } } },
      required: ["value"],
      additionalProperties: false,
      $defs: { name: { type: "string" } },
    });
  });

  it.each<[unknown, JsonSchema, string]>([
    [["a"], LIST, '["a"]'],
    ["done", { type: "string" }, '"done"'],
    ["done", { type: "string" }, '{"value":"done"}'],
    [null, { type: ["null", "string"] }, '{"value":null}'],
    [{ value: 1 }, { anyOf: [{ type: "object", properties: { value: { type: "number" } } }] }, '{"value":1}'],
    [
      { ok: true },
      { anyOf: [{ type: "string" }, { type: "object", required: ["ok"] }] },
      '{"value":{"ok":true}}',
    ],
    [
      { next: { next: null } },
      { type: ["object", "null"], properties: { next: { $ref: "#" } } },
      '{"value":{"next":{"next":null}}}',
    ],
  ])("gives %j", async (value, schema, answer) => {
    const { result } = await play(schema, [answer]);
    expect(result).toMatchObject({ status: "completed", exitCode: 0 });
    expect(result.output).toEqual(value);
    expect(JSON.parse(result.text)).toEqual(value);
  });

  it("tells places within the value", async () => {
    const { model } = await play(LIST, ['{"value":["a",2]}', '{"value":[]}']);
    expect(told(model)).toMatch(/^- \[1\]: expected a string/m);
  });
});

describe("answerSchema", () => {
  it("takes zod: what it refuses is refused, its plain objects are closed", async () => {
    const schema = z.object({
      even: z.number().refine((n) => n % 2 === 0, "must be even"),
      note: z.string().optional(),
    });
    const { result, model } = await play(schema, ['{"even":1}', '{"even":2,"other":1}', '{"even":2}']);
    expect(result).toMatchObject({ status: "completed", output: { even: 2 } });
    expect(model.requests[1]!.messages.at(-1)).toMatchObject({
      content: [{ text: expect.stringContaining("even: must be even") as string }],
    });
    expect(told(model)).toContain("other");
  });

  it("converts nothing and fills no default in", async () => {
    const schema = z.object({ n: z.coerce.number(), unit: z.string().default("s") });
    expect((await play(schema, ['{"n":3}'])).result.output).toEqual({ n: 3 });
    expect((await play({ type: "number" }, ["3e0"])).result.output).toBe(3);
  });

  it.each([
    ["an array", []],
    ["a text", "object"],
    ["nothing", null],
    ["true", true],
    ["an example", { summary: "x", count: 1 }],
    ["a type that there is none", { type: "strnig" }],
    ["properties that are a list", { type: "object", properties: ["a"] }],
    ["a reference to nowhere", { $ref: "#/$defs/absent" }],
    ["a reference to elsewhere", { $ref: "https://example.com/schema.json" }],
    ["a dialect that nobody knows", { $schema: "https://example.com/my-dialect", type: "object" }],
  ])("refuses %s", async (_, schema) => {
    await expect(answerSchema(schema)).rejects.toMatchObject({ name: "SetupError" });
  });

  it.each(["http://json-schema.org/draft-07/schema#", "https://json-schema.org/draft/2020-12/schema"])(
    "takes the dialect %s",
    async ($schema) => {
      const schema = await answerSchema({
        $schema,
        type: "object",
        properties: { n: { exclusiveMinimum: 0 } },
      });
      expect(await schema.judge('{"n":0}')).toMatchObject({ ok: false });
      expect(await schema.judge('{"n":1}')).toMatchObject({ ok: true });
    },
  );
});
