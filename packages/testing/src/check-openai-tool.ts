import type { JsonSchema } from "@toycoder/core";
import { openAiStrictProblems } from "./openai-strict-problems.ts";
import { schemaProblems } from "./schema-problems.ts";
import { isObject, walkSchema } from "./walk-schema.ts";

const NAME = /^[a-zA-Z0-9_-]{1,64}$/;
const REFUSED_AT_ROOT = ["oneOf", "anyOf", "allOf", "enum", "const", "not"];

/**
 * What OpenAI's APIs would refuse in a function tool, as Responses take it (`{ type, name, parameters, strict }`) or
 * Chat Completions (`{ type, function: { name, parameters, strict } }`); empty where nothing is wrong. Nothing is
 * sent anywhere. The rules are those of the API reference (the name; `strict` and `parameters` are required in
 * Responses) and of the guide "Structured Outputs", section "Supported schemas", for `strict: true`; and what the
 * API says of every schema: "schema must have type 'object' and not have 'oneOf'/'anyOf'/'allOf'/'enum'/'const'/
 * 'not' at the top level", "object schema missing properties", "array schema missing items".
 */
export function checkOpenAiTool(tool: unknown): string[] {
  if (!isObject(tool)) return ["the tool is not an object"];
  const isChat = tool.function !== undefined;
  const definition = isChat ? tool.function : tool;
  if (!isObject(definition)) return ["function: must be an object"];
  const { name, description, parameters, strict } = definition;
  const problems: string[] = [];
  if (tool.type !== "function") problems.push('type: must be "function"');
  if (typeof name !== "string" || !NAME.test(name)) problems.push(`name: must match ${NAME.source}`);
  if (description !== undefined && typeof description !== "string")
    problems.push("description: must be a string");
  if (typeof strict !== "boolean" && !(isChat && strict === undefined))
    problems.push("strict: must be true or false");
  if (parameters === undefined && isChat) return problems;
  if (!isObject(parameters)) return [...problems, "parameters: must be an object"];
  const schema = [
    ...schemaProblems(parameters),
    ...everySchema(parameters),
    ...(strict === true ? openAiStrictProblems(parameters) : []),
  ];
  return [...problems, ...schema.map((problem) => `parameters ${problem}`)];
}

function everySchema(root: JsonSchema): string[] {
  const problems: string[] = [];
  if (root.type !== "object") problems.push('(root): type must be "object"');
  for (const keyword of REFUSED_AT_ROOT) {
    if (root[keyword] !== undefined) problems.push(`(root): ${keyword} is not supported at the top level`);
  }
  for (const { schema, path } of walkSchema(root)) {
    if (typeof schema === "boolean") continue;
    const types = [schema.type].flat();
    if (types.includes("object") && !isObject(schema.properties))
      problems.push(`${path || "(root)"}: object schema missing properties`);
    if (types.includes("array") && !isObject(schema.items))
      problems.push(`${path}: array schema missing items`);
  }
  return problems;
}
