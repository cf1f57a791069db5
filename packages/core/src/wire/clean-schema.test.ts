import { expect, test } from "vitest";
import { cleanSchema, type LostKeyword } from "./clean-schema.ts";

const rules = { formats: new Set(["date", "email"]) };

function clean(schema: Parameters<typeof cleanSchema>[0]): { schema: unknown; lost: LostKeyword[] } {
  const lost: LostKeyword[] = [];
  return { schema: cleanSchema(schema, rules, lost), lost };
}

test("keywords that servers reject are left out, and named where they enforced something", () => {
  const { schema, lost } = clean({
    $schema: "https://json-schema.org/draft/2020-12/schema",
    type: "object",
    properties: {
      site: { type: "string", format: "uri" },
      day: { type: "string", format: "date" },
      edits: {
        type: "array",
        items: { type: "object", properties: { code: { type: "string", pattern: "^(?=a)b" } } },
      },
      map: { type: "object", propertyNames: { type: "string" }, additionalProperties: { type: "string" } },
      keys: { type: "object", propertyNames: { pattern: "^a" } },
    },
  });
  expect(schema).toEqual({
    type: "object",
    properties: {
      site: { type: "string" },
      day: { type: "string", format: "date" },
      edits: { type: "array", items: { type: "object", properties: { code: { type: "string" } } } },
      map: { type: "object", properties: {}, additionalProperties: { type: "string" } },
      keys: { type: "object", properties: {} },
    },
  });
  expect(lost).toEqual([
    { path: "site", keyword: "format" },
    { path: "edits[].code", keyword: "pattern" },
    { path: "keys", keyword: "propertyNames" },
  ]);
});

test("properties that are called like keywords stay", () => {
  const schema = {
    type: "object",
    properties: { pattern: { type: "string" }, format: { type: "string" }, $schema: { type: "string" } },
  };
  expect(clean(schema).schema).toEqual(schema);
});

test("an object always has properties, and the bounds of a double are not worth their tokens", () => {
  expect(clean({ type: "object" }).schema).toEqual({ type: "object", properties: {} });
  const integer = { type: "integer", minimum: Number.MIN_SAFE_INTEGER, maximum: Number.MAX_SAFE_INTEGER };
  expect(clean({ type: "array", items: integer }).schema).toEqual({
    type: "array",
    items: { type: "integer" },
  });
  expect(clean({ type: "integer", minimum: 1 }).schema).toEqual({ type: "integer", minimum: 1 });
});

test("keys that are enumerated become properties; a map of any keys stays a map", () => {
  const { schema, lost } = clean({
    type: "object",
    propertyNames: { type: "string", enum: ["a", "b"] },
    additionalProperties: { type: "number" },
    required: ["a"],
  });
  expect(schema).toEqual({
    type: "object",
    properties: { a: { type: "number" }, b: { type: "number" } },
    required: ["a"],
    additionalProperties: false,
  });
  expect(lost).toEqual([]);
  expect(clean({ type: "object", propertyNames: { enum: ["a"] }, properties: { a: {} } }).lost).toEqual([
    { path: "", keyword: "propertyNames" },
  ]);
});

test("keys by a pattern with look-around become any keys", () => {
  const { schema, lost } = clean({
    type: "object",
    patternProperties: { "^(?!x)": { type: "string" }, "^y": { format: "uri" } },
    additionalProperties: false,
  });
  expect(schema).toEqual({ type: "object", patternProperties: { "^y": {} }, properties: {} });
  expect(lost).toEqual([
    { path: "*", keyword: "format" },
    { path: "", keyword: "patternProperties" },
    { path: "", keyword: "additionalProperties" },
  ]);
});

test("a keyword that would refuse more, because what stands in it takes more, goes as well", () => {
  const uri = { type: "string", format: "uri" };
  const { schema, lost } = clean({
    type: "object",
    properties: {
      either: { oneOf: [{ type: "string", minLength: 2 }, uri] },
      apart: { oneOf: [{ type: "number" }, uri] },
      other: { not: uri },
      when: { if: uri, then: { maxLength: 9 }, else: {} },
    },
  });
  expect(schema).toMatchObject({
    properties: {
      either: { anyOf: [{ type: "string", minLength: 2 }, { type: "string" }] },
      apart: { oneOf: [{ type: "number" }, { type: "string" }] },
      other: {},
      when: {},
    },
  });
  expect(lost.map(({ path, keyword }) => `${path}: ${keyword}`)).toEqual([
    "either: format",
    "either: oneOf",
    "apart: format",
    "other: format",
    "other: not",
    "when: format",
    "when: if",
    "when: then",
    "when: else",
  ]);
});

test("true and false as properties are told as schemas", () => {
  expect(clean({ type: "object", properties: { a: true, b: false } }).schema).toEqual({
    type: "object",
    properties: { a: {}, b: { not: {} } },
  });
});

test.each([
  [{ type: "array" }, { type: "array", items: {} }],
  [{ type: ["array", "null"] }, { type: ["array", "null"], items: {} }],
  [
    { type: "array", items: false },
    { type: "array", items: {}, maxItems: 0 },
  ],
  [
    { type: "array", prefixItems: [{ type: "string" }, { type: "number" }], items: false },
    {
      type: "array",
      prefixItems: [{ type: "string" }, { type: "number" }],
      items: { anyOf: [{ type: "string" }, { type: "number" }] },
      maxItems: 2,
    },
  ],
  [
    { type: "array", prefixItems: [{ type: "string" }], maxItems: 1 },
    { type: "array", prefixItems: [{ type: "string" }], maxItems: 1, items: { type: "string" } },
  ],
  [
    { type: "array", prefixItems: [{ type: "string" }] },
    { type: "array", prefixItems: [{ type: "string" }], items: {} },
  ],
])("where every array needs items, %j says the same with them", (given, expected) => {
  expect(cleanSchema(given, { ...rules, arraysNeedItems: true }, [])).toEqual(expected);
});
