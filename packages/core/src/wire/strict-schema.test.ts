import { expect, test } from "vitest";
import * as z from "zod";
import { toJsonSchema } from "../schema/to-json-schema.ts";
import type { JsonSchema } from "../schema/json-schema.ts";
import { cleanSchema, type LostKeyword } from "./clean-schema.ts";
import { type StrictSchema, toStrictSchema } from "./strict-schema.ts";

const rules = { formats: new Set(["email"]) };
const clean = (schema: z.ZodType): JsonSchema => cleanSchema(toJsonSchema(schema, "test"), rules, []);

function strict(schema: z.ZodType, lost: LostKeyword[] = []): StrictSchema {
  const result = toStrictSchema(clean(schema), lost);
  if ("unsupported" in result) throw new Error(result.unsupported.join("; "));
  return result;
}

function unsupported(schema: z.ZodType): readonly string[] {
  const result = toStrictSchema(clean(schema), []);
  return "unsupported" in result ? result.unsupported : [];
}

test("an optional property becomes nullable, its default is told in the description", () => {
  const { schema, optional } = strict(
    z.object({
      path: z.string().describe("Where"),
      limit: z.number().int().min(1).default(200).describe("Lines."),
    }),
  );
  expect(schema).toEqual({
    type: "object",
    properties: {
      path: { type: "string", description: "Where" },
      limit: {
        description: "Lines. Default: 200.",
        anyOf: [{ type: "integer", minimum: 1 }, { type: "null" }],
      },
    },
    required: ["path", "limit"],
    additionalProperties: false,
  });
  expect(optional).toEqual(["limit"]);
});

test("nulls go away where a property was optional, and nowhere else", () => {
  const { undo, optional } = strict(
    z.object({
      a: z.string().optional(),
      b: z.string().nullable(),
      c: z.string().nullish(),
      rows: z.array(z.object({ d: z.number().optional(), e: z.number().nullable() })),
    }),
  );
  expect(optional).toEqual(["a", "rows[].d"]);
  expect(
    undo({
      a: null,
      b: null,
      c: null,
      rows: [
        { d: null, e: null },
        { d: 1, e: 2 },
      ],
    }),
  ).toEqual({
    b: null,
    c: null,
    rows: [{ e: null }, { d: 1, e: 2 }],
  });
});

test("in a union the branch that the value fits decides", () => {
  const { undo } = strict(
    z.object({
      shape: z.discriminatedUnion("kind", [
        z.object({ kind: z.literal("a"), x: z.string().optional() }),
        z.object({ kind: z.literal("b"), x: z.string().nullable() }),
      ]),
    }),
  );
  expect(undo({ shape: { kind: "a", x: null } })).toEqual({ shape: { kind: "a" } });
  expect(undo({ shape: { kind: "b", x: null } })).toEqual({ shape: { kind: "b", x: null } });
});

test("a recursive schema is lowered once and undone at every depth", () => {
  const node: z.ZodType = z.object({
    name: z.string(),
    note: z.string().optional(),
    get kids() {
      return z.array(node);
    },
  });
  const { undo } = strict(z.object({ tree: node }));
  const value = { tree: { name: "a", note: null, kids: [{ name: "b", note: null, kids: [] }] } };
  expect(undo(value)).toEqual({ tree: { name: "a", kids: [{ name: "b", kids: [] }] } });
});

test("a value outside the schema comes back without harm", () => {
  const { undo } = strict(
    z.object({ a: z.string().optional(), list: z.array(z.object({ b: z.string().optional() })) }),
  );
  expect(undo({ a: 5, list: "x", more: null, __proto__: null })).toEqual({ a: 5, list: "x", more: null });
  expect(undo(["x"])).toEqual(["x"]);
});

test("literals get the type that strict mode wants", () => {
  const lowered = toStrictSchema(
    {
      type: "object",
      properties: { a: { const: "x" }, b: { enum: ["x", 1, null] } },
      additionalProperties: false,
    },
    [],
  );
  expect(lowered).toMatchObject({
    schema: {
      properties: {
        a: { anyOf: [{ const: "x", type: "string" }, { type: "null" }] },
        b: { type: ["string", "number", "null"] },
      },
    },
    optional: ["a"],
  });
});

test("what strict mode does not enforce is named", () => {
  const lost: LostKeyword[] = [];
  const { schema } = strict(z.object({ name: z.string().min(2).max(5) }), lost);
  expect(schema.properties).toEqual({ name: { type: "string" } });
  expect(lost).toEqual([
    { path: "name", keyword: "minLength" },
    { path: "name", keyword: "maxLength" },
  ]);
});

test.each([
  ["a record", z.object({ env: z.record(z.string(), z.string()) }), "env: an open object"],
  ["a tuple", z.object({ at: z.tuple([z.number(), z.number()]) }), "at: prefixItems"],
  ["a loose object", z.looseObject({ a: z.string() }), "(root): an open object"],
  ["any value", z.object({ value: z.unknown() }), "value: any value"],
])("%s cannot be said", (_, schema, reason) => {
  expect(unsupported(schema)).toContain(reason);
});

test("an intersection and an unknown reference cannot be said", () => {
  const refuse = (property: JsonSchema): unknown =>
    toStrictSchema({ type: "object", properties: { a: property }, additionalProperties: false }, []);
  expect(refuse({ allOf: [{ type: "string" }, { minLength: 1 }] })).toEqual({ unsupported: ["a: allOf"] });
  const elsewhere = "https://example.com/x.json";
  expect(refuse({ $ref: elsewhere })).toEqual({ unsupported: [`a: $ref ${elsewhere}`] });
});

test("the limits on size hold: 10 levels, 5,000 properties", () => {
  let deep: z.ZodType = z.string();
  for (let level = 0; level < 12; level++) deep = z.object({ deep });
  expect(unsupported(deep).join()).toMatch(/nested more than 10 deep/);
  const wide = Object.fromEntries(Array.from({ length: 5001 }, (_, index) => [`p${index}`, z.string()]));
  expect(unsupported(z.object(wide))).toEqual(["more than 5000 properties"]);
});

test("the limits on characters hold: 120,000 in all, 15,000 in a long enum", () => {
  const words = (count: number, length: number): string[] =>
    Array.from({ length: count }, (_, index) => String(index).padStart(length, "x"));
  expect(unsupported(z.object({ word: z.enum(words(250, 61)) }))).toEqual([]);
  expect(unsupported(z.object({ word: z.enum(words(251, 60)) }))).toEqual([
    "more than 15000 characters in an enum of more than 250",
  ]);
  const definitions = Object.fromEntries(words(3, 50_000).map((name) => [name, { type: "string" }]));
  const root = { type: "object", properties: {}, additionalProperties: false, $defs: definitions };
  expect(toStrictSchema(root, [])).toEqual({ unsupported: ["more than 120000 characters"] });
});

const inObject = (property: JsonSchema, more: JsonSchema = {}): JsonSchema => ({
  type: "object",
  properties: { a: property },
  additionalProperties: false,
  ...more,
});

test.each<[string, JsonSchema, string]>([
  ["a reference with other keywords", inObject({ $ref: "#", minimum: 1 }), "a: a $ref with other keywords"],
  ["a union with properties beside it", inObject({ anyOf: [{}], properties: {} }), "a: properties"],
  ["anyOf and oneOf at once", inObject({ anyOf: [{}], oneOf: [{}] }), "a: oneOf"],
  [
    "an enum without a fitting value",
    inObject({ type: "null", enum: ["x"] }),
    "a: an enum without a value of its type",
  ],
  [
    "a required property without a schema",
    inObject({ type: "null" }, { required: ["b"] }),
    "(root): a required property that is not among the properties",
  ],
])("%s would lose something, and cannot be said", (_, schema, reason) => {
  expect(toStrictSchema(schema, [])).toEqual({ unsupported: [reason] });
});

test("objects of a union that begin with the same property need values there that tell them apart", () => {
  const object = (kind: z.ZodType, ...more: string[]): z.ZodObject =>
    z.object({ kind, ...Object.fromEntries(more.map((name) => [name, z.string()])) });
  const reason = "a: a union of objects that begin with the same property";
  expect(unsupported(z.object({ a: z.union([object(z.string(), "x"), object(z.string(), "y")]) }))).toEqual([
    reason,
  ]);
  expect(unsupported(z.object({ a: z.union([object(z.literal("x")), object(z.literal("y"))]) }))).toEqual([]);
});

test("where a server does not mind, they may begin alike", () => {
  const alike = z.union([z.object({ k: z.string() }), z.object({ k: z.string(), l: z.string() })]);
  expect(toStrictSchema(clean(z.object({ a: alike })), [], { firstKeys: "any" })).toHaveProperty("schema");
});

test("a oneOf is named unless its branches exclude each other", () => {
  const lostBy = (...oneOf: JsonSchema[]): LostKeyword[] => {
    const lost: LostKeyword[] = [];
    toStrictSchema(inObject({ oneOf }), lost);
    return lost;
  };
  const named = [{ path: "a", keyword: "oneOf" }];
  const optional = (name: string): JsonSchema =>
    inObject({ type: "string" }, { properties: { [name]: { type: "string" } } });
  expect(lostBy({ type: "string" }, { type: "null" })).toEqual([{ path: "a", keyword: "optional" }]);
  expect(lostBy({ type: "integer" }, { type: "number" })).toEqual(named);
  expect(lostBy({ enum: ["x"] }, { enum: ["y"] })).toEqual([]);
  expect(lostBy(optional("p"), optional("q"))).toEqual(named);
  expect(lostBy({ ...optional("p"), required: ["p"] }, optional("q"))).toEqual([]);
});

test("literals that the type forbids are left out, and null counts only where both allow it", () => {
  const { schema, optional } = toStrictSchema(
    {
      type: "object",
      properties: { a: { type: "string", enum: ["x", null] }, b: { type: ["string", "null"], enum: ["x"] } },
      additionalProperties: false,
    },
    [],
  ) as StrictSchema;
  expect(schema.properties).toEqual({
    a: { anyOf: [{ type: "string", enum: ["x"] }, { type: "null" }] },
    b: { anyOf: [{ type: ["string", "null"], enum: ["x"] }, { type: "null" }] },
  });
  expect(optional).toEqual(["a", "b"]);
});

test("an optional property that takes null is named, unless a default says what absence means", () => {
  const lost: LostKeyword[] = [];
  strict(
    z.object({ a: z.string().nullish(), b: z.string().nullable().default("x"), c: z.string().nullable() }),
    lost,
  );
  expect(lost).toEqual([{ path: "a", keyword: "optional" }]);
});

test("examples are told in the description", () => {
  const { schema } = toStrictSchema(
    inObject({ type: "string", examples: ["x", 1], default: "y" }),
    [],
  ) as StrictSchema;
  expect(schema.properties?.["a"]).toMatchObject({ description: 'Examples: "x", 1. Default: "y".' });
});

test("bounds and lengths decide between branches, those that strict mode does not take included", () => {
  const { undo } = strict(
    z.object({
      a: z.union([
        z.object({ text: z.string().max(3), note: z.string().optional() }),
        z.object({ note: z.string().nullable(), text: z.string().min(4) }),
      ]),
    }),
  );
  expect(undo({ a: { text: "ab", note: null } })).toEqual({ a: { text: "ab" } });
  expect(undo({ a: { text: "abcd", note: null } })).toEqual({ a: { text: "abcd", note: null } });
});

test("an empty object is strict, with its properties", () => {
  expect(strict(z.object({})).schema).toEqual({
    type: "object",
    properties: {},
    required: [],
    additionalProperties: false,
  });
});
