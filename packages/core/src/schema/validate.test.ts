import { type } from "arktype";
import { describe, expect, it } from "vitest";
import { z } from "zod";
import { z as foreign } from "zod-foreign";
import { z as three } from "zod3";
import type { InputSchema } from "./input-schema.ts";
import { jsonSchema } from "./raw-schema.ts";
import { toJsonSchema } from "./to-json-schema.ts";
import { describeProblems, validate } from "./validate.ts";

async function problems(schema: InputSchema, value: Record<string, unknown>): Promise<string[]> {
  const result = await validate(value, schema, toJsonSchema(schema, "test"));
  return result.ok ? [] : describeProblems(result.problems, 50).split("\n");
}

const zodLike = (lib: typeof z): InputSchema =>
  lib.object({
    path: lib.string(),
    limit: lib.number().int().min(1).default(10),
    level: lib.enum(["low", "high"]),
    name: lib.string().min(3).max(5),
    mail: lib.email(),
    where: lib.array(lib.object({ line: lib.number(), column: lib.number().optional() })).optional(),
    mixed: lib.union([lib.number(), lib.boolean()]),
    shape: lib.discriminatedUnion("kind", [
      lib.object({ kind: lib.literal("circle"), r: lib.number() }),
      lib.object({ kind: lib.literal("square"), side: lib.number() }),
    ]),
    form: lib.discriminatedUnion("kind", [
      lib.object({ kind: lib.literal("circle"), r: lib.number() }),
      lib.object({ kind: lib.literal("square"), side: lib.number() }),
    ]),
    list: lib.array(lib.string()).min(1),
  });

const arms = [
  { type: "object", properties: { kind: { const: "circle" }, r: { type: "number" } }, required: ["kind", "r"], additionalProperties: false },
  { type: "object", properties: { kind: { const: "square" }, side: { type: "number" } }, required: ["kind", "side"], additionalProperties: false },
]; // prettier-ignore

const FORMS: [name: string, schema: InputSchema][] = [
  ["zod 4", zodLike(z)],
  ["another copy of zod 4", zodLike(foreign as unknown as typeof z)],
  [
    "zod 3",
    zodLike(Object.assign(Object.create(three), { email: () => three.string().email() }) as typeof z),
  ],
  [
    "ArkType",
    type({
      "+": "reject",
      path: "string",
      limit: "number.integer >= 1 = 10",
      level: "'low' | 'high'",
      name: "3 <= string <= 5",
      mail: "string.email",
      "where?": type({ "+": "reject", line: "number", "column?": "number" }).array(),
      mixed: "number | boolean",
      shape: type({ "+": "reject", kind: "'circle'", r: "number" }).or({
        "+": "reject",
        kind: "'square'",
        side: "number",
      }),
      form: type({ "+": "reject", kind: "'circle'", r: "number" }).or({
        "+": "reject",
        kind: "'square'",
        side: "number",
      }),
      list: "string[] >= 1",
    }),
  ],
  [
    "raw JSON Schema",
    jsonSchema({
      type: "object",
      properties: {
        path: { type: "string" },
        limit: { type: "integer", minimum: 1, default: 10 },
        level: { enum: ["low", "high"] },
        name: { type: "string", minLength: 3, maxLength: 5 },
        mail: { type: "string", format: "email" },
        where: {
          type: "array",
          items: {
            type: "object",
            properties: { line: { type: "number" }, column: { type: "number" } },
            required: ["line"],
            additionalProperties: false,
          },
        },
        mixed: { anyOf: [{ type: "number" }, { type: "boolean" }] },
        shape: { oneOf: arms },
        form: { oneOf: arms },
        list: { type: "array", items: { type: "string" }, minItems: 1 },
      },
      required: ["path", "level", "name", "mail", "mixed", "shape", "form", "list"],
      additionalProperties: false,
    }),
  ],
];

describe.each(FORMS)("the problems of %s", (_, schema) => {
  const good = {
    path: "a",
    level: "low",
    name: "Adam",
    mail: "a@example.org",
    mixed: 1,
    shape: { kind: "circle", r: 1 },
    form: { kind: "square", side: 1 },
    list: ["x"],
  };

  it("are none for what fits", async () => {
    expect(await problems(schema, good)).toEqual([]);
  });

  it("come all at once, each with its path and what was expected, in the same words", async () => {
    const wrong = {
      pth: 1,
      limit: 1.5,
      level: "middle",
      name: "Al",
      mail: "nobody",
      where: [{ line: "x", colum: 1 }, { line: 2 }],
      mixed: "maybe",
      shape: { kind: "triangle" },
      form: { kind: "square", sid: 2 },
      list: [],
    };
    const found = await problems(schema, wrong);
    expect(found).toHaveLength(13);
    expect(found).toEqual(
      expect.arrayContaining([
        "path: expected a string, but it is missing",
        "limit: expected an integer, received 1.5",
        // ArkType sorts what it takes.
        expect.stringMatching(/^level: expected ("low" or "high"|"high" or "low"), received "middle"$/),
        "name: expected at least 3 characters, received 2",
        'mail: expected a string (email), received "nobody"',
        'where[0].line: expected a number, received "x"',
        'where[0].colum: unknown key; did you mean "column"?',
        'mixed: expected a number or true or false, received "maybe"',
        'shape.kind: expected "circle" or "square", received "triangle"',
        "form.side: expected a number, but it is missing",
        'form.sid: unknown key; did you mean "side"?',
        "list: expected at least 1 item, received 0",
        'pth: unknown key; did you mean "path"?',
      ]),
    );
  });
});

describe("validate", () => {
  it("gives the schema's output", async () => {
    const schema = z.object({ path: z.string(), limit: z.number().int().default(10) });
    const json = toJsonSchema(schema, "test");
    expect(await validate({ path: "a", limit: "3" }, schema, json)).toEqual({
      ok: true,
      value: { path: "a", limit: 3 },
    });
    expect(await validate({ path: "a" }, schema, json)).toEqual({
      ok: true,
      value: { path: "a", limit: 10 },
    });
  });

  it("keeps an author's own message", async () => {
    const schema = z.object({
      to: z.string({ error: "say whom" }),
      from: z.number().refine((from) => from > 3, "from must lie after 3"),
      range: z.object({ a: z.number(), b: z.number() }).refine(({ a, b }) => a < b, "a comes first"),
    });
    expect(await problems(schema, { from: 1, range: { a: 2, b: 1 } })).toEqual([
      "to: say whom",
      "from: from must lie after 3",
      "range: a comes first",
    ]);
    expect(await problems(three.object({ n: three.number({ required_error: "say how many" }) }), {})).toEqual(
      ["n: say how many"],
    );
  });

  it("cuts long values and long lists of what is allowed", async () => {
    const many = Array.from({ length: 40 }, (_, index) => `option_${index}`) as [string, ...string[]];
    const schema = z.object({ n: z.number(), of: z.enum(many) });
    const [n, of] = await problems(schema, { n: "long ".repeat(1000), of: "x" });
    expect(n).toMatch(/^n: expected a number, received "long .*…"$/);
    expect(n!.length).toBeLessThan(100);
    expect(of).toMatch(/"option_11" … \(40 in all\), received "x"$/);
    expect(of!.length).toBeLessThan(260);
  });

  it("stays short however much is wrong", async () => {
    const schema = z.object({ list: z.array(z.object({ n: z.number() })) });
    const json = toJsonSchema(schema, "test");
    const list = Array.from({ length: 5000 }, () => ({ n: "x".repeat(1000), ["k".repeat(1000)]: 1 }));
    const result = await validate({ list }, schema, json);
    const text = result.ok ? "" : describeProblems(result.problems);
    expect(text.split("\n")).toHaveLength(11);
    expect(text).toMatch(/… and \d+ more$/);
    expect(text.length).toBeLessThan(4000);
  });

  it("reports a strict object's unknown key once", async () => {
    expect(await problems(z.strictObject({ alpha: z.string() }), { alpha: "x", alpa: 1 })).toEqual([
      'alpa: unknown key; did you mean "alpha"?',
    ]);
  });

  it("takes __proto__ and constructor for ordinary unknown keys", async () => {
    const text = '{"path":"a","__proto__":{"limit":1},"constructor":1}';
    const value = JSON.parse(text) as Record<string, unknown>;
    expect(await problems(z.object({ path: z.string() }), value)).toEqual([
      "__proto__: unknown key; known are path",
      "constructor: unknown key; known are path",
    ]);
  });

  it("refuses what is nested too deep, in words", async () => {
    let deep: Record<string, unknown> = {};
    for (let depth = 0; depth < 10_000; depth++) deep = { a: deep };
    for (const schema of [
      z.object({ a: z.unknown() }),
      z.record(z.string(), z.json()),
      jsonSchema({ type: "object" }),
    ]) {
      expect(await problems(schema as InputSchema, deep)).toEqual([
        "(arguments): expected at most 256 levels of nesting",
      ]);
    }
  });

  it("counts what it does not list", () => {
    const many = Array.from({ length: 12 }, (_, index) => ({ path: ["x", index], message: "wrong" }));
    expect(describeProblems(many).split("\n")).toHaveLength(11);
    expect(describeProblems(many)).toContain("… and 2 more");
  });
});
