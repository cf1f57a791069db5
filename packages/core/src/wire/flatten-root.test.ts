import { expect, test } from "vitest";
import type { JsonSchema } from "../schema/json-schema.ts";
import { flattenRoot } from "./flatten-root.ts";

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
    description: "A shape",
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
