import { defineTool, type JsonSchema, jsonSchema, messageOf, type RawSchema } from "@toycoder/core";
import { isRecord } from "@toycoder/core/wire";

/** A tool of a server that can be used. */
export interface JudgedTool {
  /** The server's own. */
  name: string;
  description: string;
  input: RawSchema<Record<string, unknown>>;
  /** Undefined where the tool has none, or one that cannot be used. */
  output: { schema: RawSchema<unknown>; json: JsonSchema } | undefined;
  annotations: Readonly<Record<string, unknown>>;
  /** What was changed or left out to make it usable. */
  notes: readonly string[];
  /** The tool as it was listed, as text: it has not changed while this has not. */
  source: string;
}

/** A listed tool that cannot be used, and why. */
export interface LeftOutTool {
  tool: string;
  reason: string;
}

const MAX_SCHEMA = 200_000;
const MAX_DESCRIPTION = 10_000;

/**
 * Judges an entry of `tools/list` by itself: an entry that is not by the protocol does not take the others with it.
 * What can be read in one way only is read so, with a note; what cannot be used is left out, with the reason.
 */
export function judgeTool(given: unknown, index: number): JudgedTool | LeftOutTool {
  const leftOut = (tool: string, reason: string): LeftOutTool => ({ tool, reason });
  if (!isRecord(given)) return leftOut(`#${index + 1}`, "it is no object");
  const { name } = given;
  if (typeof name !== "string" || name.trim() === "") return leftOut(`#${index + 1}`, "it has no name");
  if (name.length > 1000)
    return leftOut(`${name.slice(0, 100)}…`, "its name is longer than 1,000 characters");
  const source = JSON.stringify(given);
  const notes: string[] = [];
  const input = inputOf(given.inputSchema, notes);
  if (typeof input === "string") return leftOut(name, input);
  const schema = jsonSchema(input);
  try {
    // As the registry will have it; what throws there throws here.
    void defineTool({ name: "judged", description: name, input: schema, execute: () => "" }).jsonSchema;
  } catch (error) {
    return leftOut(name, `its inputSchema cannot be used: ${reasonOf(error)}`);
  }
  const { description, annotations } = given;
  return {
    name,
    description: describe(description, name, notes),
    input: schema,
    output: outputOf(given.outputSchema, notes),
    annotations: isRecord(annotations) ? annotations : {},
    notes,
    source,
  };
}

export const isLeftOut = (judged: JudgedTool | LeftOutTool): judged is LeftOutTool => "reason" in judged;

/** The schema, or why there can be none. */
function inputOf(given: unknown, notes: string[]): Record<string, unknown> | string {
  if (given === undefined || given === null) {
    notes.push("it has no inputSchema: it takes any object");
    return { type: "object" };
  }
  if (!isRecord(given)) return "its inputSchema is no object";
  const size = JSON.stringify(given).length;
  if (size > MAX_SCHEMA)
    return `its inputSchema has ${size.toLocaleString("en")} characters, more than ${MAX_SCHEMA.toLocaleString("en")}`;
  if (given.type !== undefined && given.type !== "object" && given.type !== null)
    return `its inputSchema is of the type ${JSON.stringify(given.type)}: arguments are an object`;
  return { ...withoutNulls(given, notes), type: "object" };
}

/** Some servers write null for what is not there. */
function withoutNulls(schema: Record<string, unknown>, notes: string[]): Record<string, unknown> {
  const kept = Object.entries(schema).filter(([key, value]) => {
    if (value !== null) return true;
    notes.push(`its inputSchema has ${key}: null, which is left out`);
    return false;
  });
  const cleaned: Record<string, unknown> = Object.fromEntries(kept);
  if (!isRecord(cleaned.properties)) return cleaned;
  cleaned.properties = Object.fromEntries(
    Object.entries(cleaned.properties).map(([key, value]) => {
      if (value !== null) return [key, value];
      notes.push(`its parameter ${key} is null: any value is taken`);
      return [key, {}];
    }),
  );
  return cleaned;
}

function outputOf(given: unknown, notes: string[]): JudgedTool["output"] {
  if (!isRecord(given)) return undefined;
  try {
    const schema = jsonSchema<unknown>(given);
    return { schema, json: schema["~standard"].jsonSchema.output({ target: "draft-2020-12" }) };
  } catch (error) {
    notes.push(`its outputSchema cannot be used, its results are not checked: ${reasonOf(error)}`);
    return undefined;
  }
}

function describe(given: unknown, name: string, notes: string[]): string {
  if (typeof given !== "string" || given.trim() === "") {
    notes.push("it has no description");
    return `The tool ${name} of an MCP server, which does not describe it.`;
  }
  if (given.length <= MAX_DESCRIPTION) return given;
  notes.push(`its description is cut after ${MAX_DESCRIPTION.toLocaleString("en")} characters`);
  return `${given.slice(0, MAX_DESCRIPTION)}…`;
}

const reasonOf = (error: unknown): string =>
  error instanceof RangeError ? "it is nested too deep" : messageOf(error).slice(0, 300);
