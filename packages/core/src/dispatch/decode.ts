import { ToolError } from "../errors.ts";
import type { ToolCall } from "../message.ts";
import { isRecord } from "../schema/json-schema.ts";
import { repairJson } from "./repair-json.ts";

export interface DecodedArguments {
  args: Readonly<Record<string, unknown>>;
  /** True where the text was broken JSON and `args` is what it was made whole to: only a `safe` tool may run on it. */
  repaired: boolean;
}

export interface DecodeOptions {
  /** The model's answer was cut off at its length limit: nothing that is broken is repaired. */
  cutOff?: boolean;
}

/** What a result says after a repair. */
export const REPAIRED_NOTE =
  "The arguments were broken JSON and were repaired before the call. Check that they are what was meant.";

/**
 * The arguments of a call as an object; an empty text is `{}`, and an object written as a JSON text within the JSON
 * text is taken out of it. Broken JSON is repaired where no string's content changes by it. Throws or
 * rejects with a ToolError `invalid_json` that says where the text breaks off, or what it holds instead of an object.
 */
export function decodeArguments(
  { arguments: given }: ToolCall,
  options: DecodeOptions = {},
): DecodedArguments | Promise<DecodedArguments> {
  if (typeof given !== "string") return { args: objectOf(given), repaired: false };
  if (given.trim() === "") return { args: {}, repaired: false };
  let value: unknown;
  try {
    value = JSON.parse(given);
  } catch (error) {
    const refusal = brokenJson(error, options.cutOff === true);
    if (options.cutOff === true) throw refusal;
    return repair(given, refusal);
  }
  return { args: objectOf(typeof value === "string" ? parseAgain(value) : value), repaired: false };
}

/** For a tool that isn't `safe`: refuses arguments that had to be repaired. */
export function repairedRefusal(tool: string): ToolError {
  return new ToolError(
    "invalid_json",
    `the arguments of ${tool} are not valid JSON; only a safe tool runs on repaired ones`,
    {
      hint: HINT,
    },
  );
}

async function repair(text: string, refusal: ToolError): Promise<DecodedArguments> {
  const value = await repairJson(text);
  if (!isRecord(value)) throw refusal;
  return { args: value, repaired: true };
}

const HINT = "send the call again with the arguments as one complete JSON object";

function brokenJson(error: unknown, cutOff: boolean): ToolError {
  const reason = error instanceof SyntaxError ? error.message : "it cannot be read";
  return cutOff
    ? new ToolError("invalid_json", `the answer was cut off within the arguments: ${reason}`, {
        hint: "send the call again with shorter arguments, in several calls where need be",
      })
    : new ToolError("invalid_json", `the arguments are not valid JSON: ${reason}`, { hint: HINT });
}

function parseAgain(text: string): unknown {
  try {
    return JSON.parse(text) as unknown;
  } catch {
    return text;
  }
}

function objectOf(value: unknown): Readonly<Record<string, unknown>> {
  if (isRecord(value)) return value;
  const found = value === null ? "null" : Array.isArray(value) ? "an array" : `a ${typeof value}`;
  throw new ToolError("invalid_json", `the arguments are ${found}; they must be one JSON object`, {
    hint: HINT,
  });
}
