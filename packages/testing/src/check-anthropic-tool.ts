import { schemaProblems } from "./schema-problems.ts";
import { isObject } from "./walk-schema.ts";

const NAME = /^[a-zA-Z0-9_-]{1,128}$/;
const PROPERTY = /^[a-zA-Z0-9_.-]{1,64}$/;

/**
 * What Anthropic's Messages API would refuse in a tool of its own shape, `{ name, description, input_schema }`;
 * empty where nothing is wrong. Nothing is sent anywhere. The rules are those of the API reference (Messages,
 * "tools": the name, `input_schema` of type "object" and JSON Schema 2020-12) and the messages of the API itself:
 * "input_schema does not support oneOf, allOf, or anyOf at the top level", "Property keys should match pattern
 * '^[a-zA-Z0-9_.-]{1,64}$'" (the properties of the root alone). A tool with `strict: true` is judged no further.
 */
export function checkAnthropicTool(tool: unknown): string[] {
  if (!isObject(tool)) return ["the tool is not an object"];
  const { name, description, input_schema: schema } = tool;
  const problems: string[] = [];
  if (typeof name !== "string" || !NAME.test(name)) problems.push(`name: must match ${NAME.source}`);
  if (description !== undefined && typeof description !== "string")
    problems.push("description: must be a string");
  if (!isObject(schema)) return [...problems, "input_schema: must be an object"];
  const at = (problem: string): string => `input_schema ${problem}`;
  if (schema.type !== "object") problems.push(at('(root): type must be "object"'));
  for (const keyword of ["oneOf", "allOf", "anyOf"]) {
    if (schema[keyword] !== undefined)
      problems.push(at(`(root): ${keyword} is not supported at the top level`));
  }
  for (const key of isObject(schema.properties) ? Object.keys(schema.properties) : []) {
    if (!PROPERTY.test(key))
      problems.push(at(`/properties: the key ${JSON.stringify(key)} must match ${PROPERTY.source}`));
  }
  return [...problems, ...schemaProblems(schema).map(at)];
}
