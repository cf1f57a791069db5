import { type } from "arktype";
import { describe, expect, it } from "vitest";
import { z } from "zod";
import { z as foreign } from "zod-foreign";
import { z as three } from "zod3";
import { isSetupError } from "../errors.ts";
import { ToolRegistry } from "../registry.ts";
import { defineTool } from "../tool.ts";
import { encodeToolsFor } from "../wire/encode-tools.ts";
import type { InputSchema } from "./input-schema.ts";
import { jsonSchema } from "./raw-schema.ts";
import { toJsonSchema } from "./to-json-schema.ts";
import { validate } from "./validate.ts";

const wanted = {
  type: "object",
  properties: {
    path: { type: "string", description: "which file" },
    limit: { default: 10, type: "number" },
    mode: { type: "string", enum: ["a", "b"] },
  },
  required: ["path", "mode"],
  additionalProperties: false,
};

describe("each form of input", () => {
  it.each<[string, InputSchema]>([
    [
      "zod 4",
      z.object({
        path: z.string().describe("which file"),
        limit: z.number().default(10),
        mode: z.enum(["a", "b"]),
      }),
    ],
    [
      "another copy of zod 4",
      foreign.object({
        path: foreign.string().describe("which file"),
        limit: foreign.number().default(10),
        mode: foreign.enum(["a", "b"]),
      }),
    ],
    [
      "zod 3",
      three.object({
        path: three.string().describe("which file"),
        limit: three.number().default(10),
        mode: three.enum(["a", "b"]),
      }),
    ],
    ["raw JSON Schema", jsonSchema(wanted)],
  ])("%s is described, with its descriptions and defaults", async (_, schema) => {
    const json = toJsonSchema(schema, "test");
    expect(json).toEqual(wanted);
    expect(await validate({ path: "x", mode: "b", limit: "2" }, schema, json)).toEqual({
      ok: true,
      value: { path: "x", mode: "b", limit: 2 },
    });
  });

  it("ArkType is described by its own converter", async () => {
    const schema = type({ path: "string", "limit?": "number", mode: "'a' | 'b'" });
    const json = toJsonSchema(schema, "test");
    expect(json).toEqual({
      type: "object",
      properties: { path: { type: "string" }, limit: { type: "number" }, mode: { enum: ["a", "b"] } },
      required: ["mode", "path"],
    });
    expect(await validate({ path: "x", mode: "b", limit: "2" }, schema, json)).toMatchObject({
      value: { limit: 2 },
    });
  });

  it("defaults and transforms of zod 3 reach the tool", async () => {
    const schema = three.object({
      n: three.number().default(3),
      upper: three.string().transform((text) => text.toUpperCase()),
      when: three.coerce.date(),
    });
    const value = { upper: "x", when: "2020-01-02" };
    expect(await validate(value, schema, toJsonSchema(schema, "test"))).toEqual({
      ok: true,
      value: { n: 3, upper: "X", when: new Date("2020-01-02") },
    });
  });

  it("zod 3 in draft-07 words comes out as 2020-12", () => {
    const item = three.object({ a: three.string() });
    interface Node {
      next?: Node | undefined;
    }
    const node: three.ZodType<Node> = three.lazy(() => three.object({ next: node.optional() }));
    const schema = three.object({ pair: three.tuple([item, item]).rest(three.number()), node });
    expect(toJsonSchema(schema, "test").properties).toEqual({
      pair: {
        type: "array",
        minItems: 2,
        prefixItems: [
          {
            type: "object",
            properties: { a: { type: "string" } },
            required: ["a"],
            additionalProperties: false,
          },
          {
            type: "object",
            properties: { a: { type: "string" } },
            required: ["a"],
            additionalProperties: false,
          },
        ],
        items: { type: "number" },
      },
      node: {
        type: "object",
        properties: { next: { $ref: "#/properties/node" } },
        additionalProperties: false,
      },
    });
  });

  it.each<[string, InputSchema]>([
    ["a union", z.union([z.object({ a: z.string() }), z.object({ b: z.string() })])],
    [
      "a tagged union",
      z.discriminatedUnion("k", [z.object({ k: z.literal(1) }), z.object({ k: z.literal(2) })]),
    ],
    ["a record", z.record(z.string(), z.number())],
    ["a refined object of zod 3", three.object({ a: three.string() }).refine(() => true)],
    ["a reference", jsonSchema({ $ref: "#/$defs/a", $defs: { a: { type: "object" } } })],
    ["nothing said", jsonSchema({})],
    ["object or null", jsonSchema({ type: ["object", "null"] })],
  ])("%s may stand at the root; it is an object", (_, schema) => {
    expect(toJsonSchema(schema, "test").type).toBe("object");
  });
});

const throwing = z.object({});
Object.defineProperty(throwing, "~standard", {
  get: () => {
    throw new Error("not today");
  },
});
const circle: Record<string, unknown> = { type: "object" };
circle.properties = { circle };
const endless = (): z.ZodObject =>
  z.object({
    get again() {
      return endless();
    },
  });

const BAD: [what: string, schema: InputSchema, message: RegExp][] = [
  ["z.date()", z.object({ at: z.date() }), /Date/],
  ["z.date() of zod 3", three.object({ at: three.object({ x: three.date() }) }), /properties\.at\.properties\.x: Date/],
  ["a BigInt default", z.object({ n: z.unknown().default(1n) }), /BigInt/],
  ["a BigInt default of zod 3", three.object({ n: three.any().default(1n) }), /JSON/],
  ["a BigInt in metadata", z.object({ n: z.string().meta({ x: 1n }) }), /./],
  ["z.bigint()", z.object({ n: z.bigint() }), /BigInt/],
  ["z.bigint() of zod 3", three.object({ n: three.bigint() }), /BigInt/],
  ["a NaN default", z.object({ n: z.number().default(Number.NaN) }), /properties\.n: its default/],
  ["a NaN default of zod 3", three.object({ n: three.number().default(Number.NaN) }), /NaN/],
  ["an infinite default", z.object({ n: z.number().default(Infinity) }), /default/],
  ["z.set()", z.object({ s: z.set(z.string()) }), /Set/],
  ["z.set() of zod 3", three.object({ s: three.set(three.string()) }), /Set/],
  ["z.map()", z.object({ m: z.map(z.string(), z.string()) }), /Map/],
  ["z.symbol()", z.object({ m: z.symbol() }), /Symbol/],
  ["z.undefined()", z.object({ m: z.undefined() }), /Undefined/],
  ["z.custom()", z.object({ c: z.custom(() => true) }), /Custom/],
  ["a transform without an input", z.object({ t: z.transform((x) => x) }), /Transform/],
  ["a getter that throws", throwing, /not today/],
  ["a shape's getter that throws", z.object({ get a(): z.ZodString { throw new Error("no shape"); } }), /no shape/],
  ["a schema without an end", endless(), /too deep/],
  ["a string", z.string(), /must be an object/],
  ["a list", z.array(z.object({})), /must be an object/],
  ["a union of other things", z.union([z.string(), z.number()]), /must be an object/],
  ["no schema", {} as InputSchema, /cannot describe itself/],
  ["null", null as unknown as InputSchema, /cannot describe itself/],
  ["a validator alone", { "~standard": { version: 1, vendor: "x", validate: () => ({ value: 1 }) } } as unknown as InputSchema, /cannot describe itself/],
  ["a converter that gives nothing", { "~standard": { version: 1, vendor: "x", validate: () => ({ value: 1 }), jsonSchema: { input: () => undefined as never, output: () => ({}) } } }, /no JSON/],
  ["a converter that gives a circle", { "~standard": { version: 1, vendor: "x", validate: () => ({ value: 1 }), jsonSchema: { input: () => circle, output: () => ({}) } } }, /circular/],
  ["a raw circle", jsonSchema(circle), /not JSON/],
]; // prettier-ignore

describe("a schema that cannot be converted", () => {
  it.each(BAD)("%s names the tool and the reason", (_, schema, message) => {
    let caught: unknown;
    try {
      toJsonSchema(schema, "tool bad");
    } catch (error) {
      caught = error;
    }
    expect(isSetupError(caught) && caught.code).toBe("schema_not_convertible");
    expect((caught as Error).message).toMatch(/^tool bad: /);
    expect((caught as Error).message).toMatch(message);
  });

  it("takes its own tool out, never the list", () => {
    const registry = new ToolRegistry();
    const tool = (name: string, input: InputSchema) =>
      defineTool({ name, description: "d", input, execute: () => "ok" });
    registry.registerMany([
      tool("good", z.object({})),
      ...BAD.map(([, schema], index) => tool(`bad_${index}`, schema)),
      tool("last", jsonSchema({ type: "object" })),
    ]);
    const names = { maxLength: 64, forbidden: /[^a-zA-Z0-9_-]/g };
    const rules = { names, strict: true, formats: new Set<string>() };
    const { tools, skipped } = encodeToolsFor(registry.snapshot(), rules, ({ name }) => name);
    expect(tools).toEqual(["good", "last"]);
    expect(skipped).toHaveLength(BAD.length);
    expect(new Set(skipped.map(({ error }) => error.code))).toEqual(new Set(["schema_not_convertible"]));
    expect(skipped.every(({ name, error }) => error.message.startsWith(`tool ${name}: `))).toBe(true);
  });
});
