import { dereference, isRecord, type JsonSchema } from "../schema/json-schema.ts";
import type { Field } from "./search-weights.ts";

/** What the search reads of a tool. */
export interface SearchableTool {
  readonly name: string;
  readonly description: string;
  readonly tags?: readonly string[];
  readonly jsonSchema?: JsonSchema;
  /** Anything but false or undefined takes the tool out of the search. */
  readonly deprecated?: unknown;
}

const MAX_DEPTH = 12;

/** A tool's texts by field. A schema that can't be read costs its tool the parameters, no more. */
export function toolFields(tool: SearchableTool): Record<Field, string> {
  const found = readParameters(tool);
  return {
    name: tool.name,
    description: tool.description,
    tags: (tool.tags ?? []).join("\n"),
    parameters: found.names.join("\n"),
    parameterTexts: found.texts.join("\n"),
    values: found.values.join("\n"),
  };
}

interface Found {
  names: string[];
  texts: string[];
  values: string[];
}

function readParameters(tool: SearchableTool): Found {
  const found: Found = { names: [], texts: [], values: [] };
  const seen = new Set<object>();
  try {
    const root = tool.jsonSchema; // A tool makes its schema when it is first read, and may fail to.
    if (isRecord(root)) collect(root, root);
    return found;
  } catch {
    return { names: [], texts: [], values: [] };
  }

  function collect(schema: unknown, root: JsonSchema, depth = 0): void {
    if (!isRecord(schema) || seen.has(schema) || depth > MAX_DEPTH) return;
    seen.add(schema);
    if (depth > 0 && typeof schema.description === "string") found.texts.push(schema.description);
    for (const value of [schema.const, ...listOf(schema.enum)]) {
      if (typeof value === "string") found.values.push(value);
    }
    if (isRecord(schema.properties)) {
      for (const [name, property] of Object.entries(schema.properties)) {
        found.names.push(name);
        collect(property, root, depth + 1);
      }
    }
    if (typeof schema.$ref === "string") collect(dereference(schema, root), root, depth);
    for (const key of ["items", "additionalProperties"]) collect(schema[key], root, depth + 1);
    for (const key of ["anyOf", "oneOf", "allOf", "prefixItems"]) {
      for (const branch of listOf(schema[key])) collect(branch, root, depth + 1);
    }
  }
}

const listOf = (value: unknown): readonly unknown[] => (Array.isArray(value) ? value : []);
