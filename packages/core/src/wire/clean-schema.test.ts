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
