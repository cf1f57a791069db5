import { type JsonSchema, type Tool } from "@toycoder/core";
import { clip } from "./clip.ts";

const LONGEST_DESCRIPTION = 300;

/** A tool in a line: `name(parameter, optional?): what it does`. */
export function describeTool(tool: Tool): string {
  const description = tool.description.replaceAll(/\s+/g, " ").trim();
  return `${tool.name}(${parameters(tool).join(", ")}): ${clip(description, LONGEST_DESCRIPTION)}`;
}

function parameters(tool: Tool): string[] {
  const { properties, required } = schemaOf(tool);
  const needed: readonly unknown[] = Array.isArray(required) ? required : [];
  return Object.keys(properties ?? {}).map((name) => (needed.includes(name) ? name : `${name}?`));
}

function schemaOf(tool: Tool): JsonSchema {
  try {
    return tool.jsonSchema;
  } catch {
    return {};
  }
}
