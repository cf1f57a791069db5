import { expect, test } from "vitest";
import { checkAnthropicTool } from "./check-anthropic-tool.ts";

type Schema = Record<string, unknown>;
const tool = (input_schema: unknown, more: Schema = {}): Schema => ({
  name: "read_file",
  input_schema,
  ...more,
});

test.each<[string, Schema]>([
  ["an open object", tool({ type: "object" })],
  ["a name of 128 characters", tool({ type: "object" }, { name: "x".repeat(128), description: "Reads." })],
  ["a union below the root", tool({ type: "object", properties: { a: { oneOf: [{}, {}] } } })],
  ["any name below the root", tool({ type: "object", properties: { a: { properties: { "b c": {} } } } })],
  [
    "a tuple",
    tool({ type: "object", properties: { a: { type: "array", prefixItems: [{}], items: false } } }),
  ],
])("nothing is wrong with %s", (_, given) => {
  expect(checkAnthropicTool(given)).toEqual([]);
});

test.each<[unknown, string]>([
  ["x", "the tool is not an object"],
  [tool({ type: "object" }, { name: "a.b" }), "name: must match ^[a-zA-Z0-9_-]{1,128}$"],
  [tool({ type: "object" }, { name: "x".repeat(129) }), "name: must match ^[a-zA-Z0-9_-]{1,128}$"],
  [tool({ type: "object" }, { description: null }), "description: must be a string"],
  [tool(undefined), "input_schema: must be an object"],
  [tool({}), 'input_schema (root): type must be "object"'],
  [tool({ type: "object", anyOf: [{}] }), "input_schema (root): anyOf is not supported at the top level"],
  [
    tool({ type: "object", properties: { "filter[id]": {} } }),
    'input_schema /properties: the key "filter[id]" must match ^[a-zA-Z0-9_.-]{1,64}$',
  ],
  [
    tool({ type: "object", properties: { a: { items: [{}] } } }),
    "input_schema /properties/a/items: must be object,boolean",
  ],
  [
    tool({ type: "object", properties: { a: { $ref: "#/definitions/b" } } }),
    "input_schema /properties/a: $ref #/definitions/b leads nowhere",
  ],
])("%j: %s", (given, problem) => {
  expect(checkAnthropicTool(given)).toEqual([problem]);
});
