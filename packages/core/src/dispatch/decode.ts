import { ToolError } from "../errors.ts";
import type { ToolCall } from "../message.ts";
import { isRecord } from "../schema/json-schema.ts";

/**
 * The arguments of a call as an object; an empty text is `{}`. Throws a ToolError `invalid_json` that says where
 * the text breaks off, or what it holds instead of an object.
 */
export function decodeArguments({ arguments: given }: ToolCall): Readonly<Record<string, unknown>> {
  const value = typeof given === "string" ? parse(given) : given;
  if (isRecord(value)) return value;
  const found = value === null ? "null" : Array.isArray(value) ? "an array" : `a ${typeof value}`;
  throw new ToolError("invalid_json", `the arguments are ${found}; they must be one JSON object`);
}

function parse(text: string): unknown {
  if (text.trim() === "") return {};
  try {
    return JSON.parse(text) as unknown;
  } catch (error) {
    const reason = error instanceof SyntaxError ? error.message : "it cannot be read";
    throw new ToolError("invalid_json", `the arguments are not valid JSON: ${reason}`, {
      hint: "send the call again with the arguments as one complete JSON object",
    });
  }
}
