import { describe, expect, it } from "vitest";
import { coerce } from "./coerce.ts";
import type { JsonSchema } from "./json-schema.ts";

const number = { type: "number" };
const boolean = { type: "boolean" };
const string = { type: "string" };
const object = (properties: Record<string, JsonSchema>, more: JsonSchema = {}): JsonSchema => ({
  type: "object",
  properties,
  ...more,
});
const circle = object({ kind: { const: "circle" }, r: number }, { required: ["kind", "r"] });
const square = object(
  { kind: { const: "square" }, side: number, tag: string },
  { required: ["kind", "side"] },
);

describe("coerce, form by form", () => {
  it.each<[what: string, schema: JsonSchema, value: unknown, expected: unknown]>([
    ["several types without string", { type: ["number", "boolean"] }, "2", 2],
    ["several types without string", { type: ["number", "boolean"] }, "TRUE", true],
    ["several types with string", { type: ["number", "string"] }, "2", "2"],
    ["integer or null", { type: ["integer", "null"] }, "7", 7],
    ["integer or null", { type: ["integer", "null"] }, null, null],
    ["a const of a number", { const: 2 }, "2", 2],
    ["a const of another number", { const: 2 }, "3", 3],
    ["a const of a boolean", { const: true }, "true", true],
    ["a const of a string", { const: "2" }, "2", "2"],
    ["an enum of numbers", { enum: [1, 2] }, "2", 2],
    ["an enum with that string", { enum: ["2", 2] }, "2", "2"],
    ["an enum of other strings and that number", { enum: ["a", 2] }, "2", 2],
    ["an enum of other strings", { enum: ["a", 2] }, "3", "3"],
    ["an enum with types", { type: ["string", "number"], enum: [1, "b"] }, "1", 1],
    ["anyOf", { anyOf: [number, boolean] }, "false", false],
    ["anyOf", { anyOf: [boolean, number] }, " 1e3 ", 1000],
    ["anyOf with a string", { anyOf: [number, string] }, "1", "1"],
    ["anyOf where nothing fits", { anyOf: [number, boolean] }, "yes", "yes"],
    ["anyOf in anyOf", { anyOf: [{ anyOf: [number, { type: "null" }] }, boolean] }, "4", 4],
    ["anyOf with null", { anyOf: [{ type: "array", items: number }, { type: "null" }] }, '["1"]', [1]],
    ["oneOf", { oneOf: [number, boolean] }, "1", 1],
    ["allOf", { allOf: [number, { minimum: 1 }] }, "3", 3],
    [
      "allOf of objects",
      { allOf: [object({ a: number }), object({ b: boolean })] },
      { a: "1", b: "true" },
      { a: 1, b: true },
    ],
    [
      "allOf beside properties",
      object({ a: number }, { allOf: [object({ b: number })] }),
      { a: "1", b: "2" },
      { a: 1, b: 2 },
    ],
    [
      "a union beside properties",
      object({ a: number }, { anyOf: [{ required: ["a"] }, { required: ["b"] }] }),
      { a: "1" },
      { a: 1 },
    ],
    [
      "a tuple",
      { type: "array", prefixItems: [number, string], items: boolean },
      ["1", "2", "true"],
      [1, "2", true],
    ],
    [
      "a tuple of draft-07",
      { type: "array", items: [number] as never, additionalItems: boolean },
      ["1", "true"],
      [1, true],
    ],
    ["a tuple as text", { type: "array", prefixItems: [number, number] }, '["1", 2]', [1, 2]],
    ["a record", { type: "object", additionalProperties: number }, { x: "1", y: "z" }, { x: 1, y: "z" }],
    ["a record's null", { type: "object", additionalProperties: number }, { x: null }, { x: null }],
    [
      "patternProperties",
      { type: "object", patternProperties: { "^n": number }, additionalProperties: boolean },
      { n1: "1", b: "true" },
      { n1: 1, b: true },
    ],
    [
      "a declared property first",
      object({ n1: string }, { patternProperties: { "^b": boolean } }),
      { n1: "1", b: "true" },
      { n1: "1", b: true },
    ],
    ["$ref to $defs", { $ref: "#/$defs/n", $defs: { n: number } }, "1", 1],
    ["$ref to definitions", { $ref: "#/definitions/n", definitions: { n: number } }, "1", 1],
    [
      "$ref with keywords beside it",
      { $ref: "#/$defs/o", properties: { b: number }, $defs: { o: object({ a: number }) } },
      { a: "1", b: "2" },
      { a: 1, b: 2 },
    ],
    ["$ref to nothing", { $ref: "#/$defs/none" }, "1", "1"],
    ["$ref in a circle", { $ref: "#/$defs/a", $defs: { a: { $ref: "#/$defs/a" } } }, "1", "1"],
    ["a tag", { oneOf: [circle, square] }, { kind: "square", side: "2" }, { kind: "square", side: 2 }],
    [
      "a tag, the value a text",
      { oneOf: [circle, square] },
      '{"kind":"circle","r":"2"}',
      { kind: "circle", r: 2 },
    ],
    [
      "a tag, the rest wrong",
      { oneOf: [circle, square] },
      { kind: "circle", r: "2", side: "3" },
      { kind: "circle", r: 2, side: "3" },
    ],
    [
      "no tag: the branch that fits then",
      { anyOf: [object({ a: number }, { required: ["a"] }), object({ b: number }, { required: ["b"] })] },
      { b: "1" },
      { b: 1 },
    ],
    [
      "no tag: the nearest branch",
      {
        anyOf: [
          object({ a: number, c: number }, { required: ["a", "c"] }),
          object({ z: number }, { required: ["z", "y", "x"] }),
        ],
      },
      { a: "1" },
      { a: 1 },
    ],
    [
      "null in a branch",
      { oneOf: [circle, square] },
      { kind: "square", side: 1, tag: null },
      { kind: "square", side: 1 },
    ],
    [
      "null in a list",
      { type: "array", items: object({ a: number }) },
      [{ a: null }, { a: "2" }],
      [{}, { a: 2 }],
    ],
    ["null of a required property", object({ a: number }, { required: ["a"] }), { a: null }, { a: null }],
    [
      "null where an allOf requires it",
      { allOf: [object({ a: number }), { required: ["a"] }] },
      { a: null },
      { a: null },
    ],
    ["null that an enum takes", object({ a: { enum: [1, null] } }), { a: null }, { a: null }],
    ["null that anything takes", object({ a: {} }), { a: null }, { a: null }],
    [
      "a text in a text",
      object({ a: object({ b: { type: "array", items: number } }) }),
      { a: JSON.stringify({ b: '["1"]' }) },
      { a: { b: [1] } },
    ],
    ["an object's text for an array", { type: "array" }, "{}", "{}"],
    ["a broken text", { type: "object" }, '{"a":', '{"a":'],
    ["no type", {}, "1", "1"],
    [
      "a schema of true and false",
      object({ a: true as never, b: false as never }),
      { a: "1", b: "2" },
      { a: "1", b: "2" },
    ],
    [
      "__proto__ as a key",
      JSON.parse('{"type":"object","properties":{"__proto__":{"type":"number"}}}') as JsonSchema,
      JSON.parse('{"__proto__":"1"}'),
      JSON.parse('{"__proto__":1}'),
    ],
  ])("%s: %j takes %j as %j", (_, schema, value, expected) => {
    const before = JSON.stringify(value);
    expect(JSON.stringify(coerce(value, schema))).toBe(JSON.stringify(expected));
    expect(JSON.stringify(value)).toBe(before);
  });

  it("does not blow up on deep unions, whatever they share", () => {
    const $defs: Record<string, JsonSchema> = { d0: number };
    for (let depth = 1; depth <= 60; depth++) {
      const below = { $ref: `#/$defs/d${depth - 1}` };
      const branch = (key: string): JsonSchema =>
        object({ next: below, [key]: number }, { required: ["next"] });
      $defs[`d${depth}`] = { anyOf: [branch("a"), branch("b"), branch("c"), below] };
    }
    let value: unknown = "1";
    for (let depth = 0; depth < 60; depth++) value = { next: value };
    const result = JSON.stringify(coerce(value, { $ref: "#/$defs/d60", $defs }));
    expect(result.startsWith('{"next":{"next":')).toBe(true);
    expect(result).toContain(":1}");
  });

  it("does not blow up where an intersection leads to itself by several parts", () => {
    const part = object({ next: { $ref: "#" }, n: number });
    const schema = object({}, { allOf: [part, structuredClone(part), structuredClone(part)] });
    let value: unknown = { n: "1" };
    for (let depth = 0; depth < 100; depth++) value = { next: value };
    expect(JSON.stringify(coerce(value, schema))).toContain('{"n":1}');
  });

  it("makes objects of their own from equal texts", () => {
    const schema = { type: "array", items: { anyOf: [object({ a: number }), number] } };
    const [one, two] = coerce(['{"a":1}', '{"a":1}'], schema) as [unknown, unknown];
    expect(one).toEqual({ a: 1 });
    expect(two).toEqual({ a: 1 });
    expect(one).not.toBe(two);
  });

  it("ends where a union contains itself", () => {
    const $defs = {
      a: { anyOf: [{ $ref: "#/$defs/a" }, { $ref: "#/$defs/b" }] },
      b: { anyOf: [{ $ref: "#/$defs/a" }, number] },
    };
    expect(coerce("1", { $ref: "#/$defs/a", $defs })).toBe(1);
    expect(coerce({ x: "1" }, { $ref: "#/$defs/a", $defs })).toEqual({ x: "1" });
  });

  it("shares what a union does not change", () => {
    const value = {
      list: [
        { kind: "circle", r: 1 },
        { kind: "square", side: "2" },
      ],
      rest: { a: [1] },
    };
    const schema = object({ list: { type: "array", items: { oneOf: [circle, square] } }, rest: object({}) });
    const result = coerce(value, schema) as typeof value;
    expect(result.list[1]).toEqual({ kind: "square", side: 2 });
    expect(result.list[0]).toBe(value.list[0]);
    expect(result.rest).toBe(value.rest);
  });

  it("leaves a text alone that holds more nesting than arguments may have", () => {
    const text = `${'{"a":'.repeat(5000)}1${"}".repeat(5000)}`;
    expect(coerce({ x: text }, object({ x: { type: "object" } }))).toEqual({ x: text });
  });
});
