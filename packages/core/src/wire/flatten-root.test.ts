import { expect, test } from "vitest";
import type { JsonSchema } from "../schema/json-schema.ts";
import type { LostKeyword } from "./clean-schema.ts";
import { flattenRoot } from "./flatten-root.ts";

const lostOf = (schema: JsonSchema): string[] => {
  const lost: LostKeyword[] = [];
  flattenRoot(schema, lost);
  return lost.map(({ path, keyword }) => `${path}${keyword}`);
};

test("a plain object stays what it is", () => {
  const schema = { type: "object", properties: { a: { type: "string" } } };
  expect(flattenRoot(schema)).toBe(schema);
});

test("a discriminated union becomes one object that takes every branch", () => {
  const branch = (kind: string, more: JsonSchema["properties"], required: string[]): JsonSchema => ({
    type: "object",
    properties: { kind: { type: "string", const: kind }, ...more },
    required: ["kind", ...required],
    additionalProperties: false,
  });
  const flat = flattenRoot({
    type: "object",
    description: "A shape",
    oneOf: [
      branch("circle", { r: { type: "number" }, name: { type: "string" } }, ["r"]),
      branch("square", { side: { type: "number" }, name: { type: "integer" } }, ["side"]),
    ],
  });
  expect(flat).toEqual({
    type: "object",
    description: 'A shape\nOne of: { kind: "circle", r, name? }; { kind: "square", side, name? }.',
    properties: {
      kind: { type: "string", enum: ["circle", "square"] },
      r: { type: "number" },
      name: { anyOf: [{ type: "string" }, { type: "integer" }] },
      side: { type: "number" },
    },
    required: ["kind"],
    additionalProperties: false,
  });
});

test("an intersection requires what any part requires", () => {
  const flat = flattenRoot({
    type: "object",
    allOf: [
      { type: "object", properties: { a: { type: "string" } }, required: ["a"] },
      { type: "object", properties: { b: { type: "string" } }, required: ["b"] },
    ],
  });
  expect(flat).toEqual({
    type: "object",
    properties: { a: { type: "string" }, b: { type: "string" } },
    required: ["a", "b"],
  });
});

test("a root reference is followed, and a circular one ends", () => {
  const node = { type: "object", properties: { next: { $ref: "#/$defs/Node" } } };
  expect(flattenRoot({ $ref: "#/$defs/Node", $defs: { Node: node } })).toEqual({
    ...node,
    $defs: { Node: node },
  });
  expect(flattenRoot({ anyOf: [{ $ref: "#" }] })).toMatchObject({ type: "object" });
});

test("what stands beside a union goes into its branches, and decides which properties there are", () => {
  const schema = {
    type: "object",
    properties: { id: { type: "integer" }, name: { type: "string" } },
    anyOf: [{ required: ["id"], properties: { id: { minimum: 1 } } }, { required: ["name"] }],
    additionalProperties: false,
  };
  expect(flattenRoot(schema)).toEqual({
    type: "object",
    description: "At least one of: { id }; { name }.",
    properties: schema.properties,
    additionalProperties: false,
  });
  expect(flattenRoot({ ...schema, anyOf: [{ properties: { more: {} } }] }).properties).toEqual(
    schema.properties,
  );
});

test("a closed part with patterns for keys leaves the whole open", () => {
  const part = { type: "object", patternProperties: { "^x-": {} }, additionalProperties: false };
  expect(flattenRoot({ anyOf: [part] })).toEqual({ type: "object", properties: {} });
  expect(lostOf({ anyOf: [part] })).toEqual(["patternProperties", "additionalProperties"]);
});

test("beside a reference, both count", () => {
  const A = { type: "object", properties: { a: { type: "string" } }, additionalProperties: false };
  const schema = { $ref: "#/$defs/A", properties: { a: { minLength: 2 }, b: {} }, $defs: { A } };
  expect(flattenRoot(schema)).toMatchObject({ properties: { a: { type: "string", minLength: 2 } } });
  expect(lostOf(schema)).toEqual([]);
});

test("what the flat schema no longer says is named", () => {
  const object = { type: "object", properties: { a: {} } };
  expect(lostOf({ oneOf: [object, { type: "object" }] })).toEqual(["oneOf"]);
  expect(lostOf({ ...object, if: {}, then: {}, not: {}, minProperties: 1 })).toEqual([
    "if",
    "then",
    "not",
    "minProperties",
  ]);
  expect(lostOf({ allOf: [object], additionalProperties: { type: "string" } })).toEqual([
    "additionalProperties",
  ]);
  expect(
    lostOf({ allOf: [{ properties: { a: { minimum: 1 } } }, { properties: { a: { minimum: 2 } } }] }),
  ).toEqual(["allOf"]);
});

test("a union that leads back to itself is flattened at once", () => {
  const circle = { anyOf: Array.from({ length: 12 }, () => ({ $ref: "#" })) };
  expect(flattenRoot(circle)).toEqual({ type: "object", properties: {}, description: expect.any(String) });
});
