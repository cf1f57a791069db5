import { describe, expect, test } from "vitest";
import { checkOpenAiTool } from "./check-openai-tool.ts";

type Schema = Record<string, unknown>;
const object = (properties: Schema, more: Schema = {}): Schema => ({
  type: "object",
  properties,
  required: Object.keys(properties),
  additionalProperties: false,
  ...more,
});
const responses = (parameters: unknown, more: Schema = {}): Schema => ({
  type: "function",
  name: "read_file",
  description: "Reads.",
  parameters,
  strict: true,
  ...more,
});
const loose = (parameters: unknown): string[] => checkOpenAiTool(responses(parameters, { strict: false }));
const strict = (properties: Schema, more: Schema = {}): string[] =>
  checkOpenAiTool(responses(object(properties, more)));
const string = { type: "string" };

test.each<[string, Schema]>([
  ["the guide's own example", responses(object({ unit: { type: ["string", "null"], enum: ["F", "C"] } }))],
  ["no parameters", responses(object({}))],
  ["the other shape", { type: "function", function: { name: "a", parameters: object({}), strict: true } }],
  ["the other shape, bare", { type: "function", function: { name: "a" } }],
  ["recursion", responses(object({ next: { anyOf: [{ $ref: "#" }, { type: "null" }] } }))],
  [
    "a union with a discriminator",
    responses(
      object({
        at: {
          anyOf: [
            object({ k: { type: "string", const: "a" } }),
            object({ k: { type: "string", const: "b" } }),
          ],
        },
      }),
    ),
  ],
  ["an open object, not strict", responses({ type: "object", properties: {} }, { strict: false })],
])("nothing is wrong with %s", (_, tool) => {
  expect(checkOpenAiTool(tool)).toEqual([]);
});

describe("the tool", () => {
  test.each<[unknown, string]>([
    [null, "the tool is not an object"],
    [{ type: "function", function: 1 }, "function: must be an object"],
    [responses(object({}), { type: "custom" }), 'type: must be "function"'],
    [responses(object({}), { name: "a.b" }), "name: must match ^[a-zA-Z0-9_-]{1,64}$"],
    [responses(object({}), { name: "x".repeat(65) }), "name: must match ^[a-zA-Z0-9_-]{1,64}$"],
    [responses(object({}), { description: 1 }), "description: must be a string"],
    [responses(object({}), { strict: undefined }), "strict: must be true or false"],
    [responses([]), "parameters: must be an object"],
  ])("%j: %s", (tool, problem) => {
    expect(checkOpenAiTool(tool)).toEqual([problem]);
  });
});

describe("every schema", () => {
  test.each<[Schema, string]>([
    [{ properties: {} }, 'parameters (root): type must be "object"'],
    [
      { type: "object", properties: {}, anyOf: [{}] },
      "parameters (root): anyOf is not supported at the top level",
    ],
    [{ type: "object" }, "parameters (root): object schema missing properties"],
    [object({ a: { type: "array" } }), "parameters /properties/a: array schema missing items"],
    [object({ a: { type: "array", items: false } }), "parameters /properties/a: array schema missing items"],
    [object({ a: { $ref: "#/$defs/b" } }), "parameters /properties/a: $ref #/$defs/b leads nowhere"],
    [object({ a: { minimum: "1" } }), "parameters /properties/a/minimum: must be number"],
  ])("%j: %s", (schema, problem) => {
    expect(loose(schema)).toEqual([problem]);
  });
});

describe("strict mode", () => {
  const deep = (levels: number): Schema => (levels === 0 ? string : object({ a: deep(levels - 1) }));
  const words = (count: number, length: number): string[] =>
    Array.from({ length: count }, (_, index) => String(index).padStart(length, "x"));
  test.each<[string, Schema, Schema, string]>([
    [
      "an optional property",
      { a: string },
      { required: [] },
      "(root): required must name every property (a)",
    ],
    ["a required one too many", {}, { required: ["b"] }, "(root): required names no property (b)"],
    ["an open object", {}, { additionalProperties: undefined }, "(root): additionalProperties must be false"],
    [
      "a map",
      { a: object({}, { additionalProperties: string }) },
      {},
      "/properties/a: additionalProperties must be false",
    ],
    ["no type", { a: { description: "x" } }, {}, "/properties/a: schema must have a type"],
    ["another keyword", { a: { ...string, minLength: 1 } }, {}, "/properties/a: minLength is not permitted"],
    ["a default", { a: { ...string, default: "x" } }, {}, "/properties/a: default is not permitted"],
    ["another format", { a: { ...string, format: "uri" } }, {}, "/properties/a: format uri is not supported"],
    [
      "look-around",
      { a: { ...string, pattern: "^(?!a)" } },
      {},
      "/properties/a: look-around in a pattern is not supported",
    ],
    [
      "$ref and more",
      { a: { $ref: "#", description: "x" } },
      {},
      "/properties/a: $ref cannot have keywords (description)",
    ],
    [
      "null in an enum of strings",
      { a: { ...string, enum: ["x", null] } },
      {},
      "/properties/a: the value null does not fit the type",
    ],
    ["true as a schema", { a: true }, {}, "/properties/a: true and false are no schemas in strict mode"],
    ["11 levels", { a: deep(10) }, {}, `${"/properties/a".repeat(11)}: nested more than 10 levels deep`],
    [
      "1,001 enum values",
      { a: { ...string, enum: words(1001, 4) } },
      {},
      "(root): more than 1000 enumValues",
    ],
    [
      "a long enum of long words",
      { a: { ...string, enum: words(251, 60) } },
      {},
      "/properties/a: more than 15000 characters in one enum",
    ],
    [
      "5,001 properties",
      Object.fromEntries(words(5001, 5).map((name) => [name, string])),
      {},
      "(root): more than 5000 properties",
    ],
    ["120,000 characters", { ["x".repeat(120_001)]: string }, {}, "(root): more than 120000 characters"],
    [
      "objects that begin alike",
      { a: { anyOf: [object({ k: string }), object({ k: string, l: string })] } },
      {},
      '/properties/a: objects in anyOf share the first key "k"',
    ],
  ])("refuses %s", (_, properties, more, problem) => {
    expect(strict(properties, more)).toEqual([`parameters ${problem}`]);
  });

  test("takes what is just within the limits", () => {
    expect(strict({ a: deep(9) })).toEqual([]);
    expect(strict({ a: { ...string, enum: words(1000, 4) } })).toEqual([]);
  });
});
