import { isRecord } from "@toycoder/core/wire";
import { toGeminiSchema } from "./gemini-schema.ts";
import type { ChatQuirks } from "./quirks.ts";

type Schema = Readonly<Record<string, unknown>>;

/**
 * A schema as one server takes it; what it no longer says is still enforced here. Undefined where a tool's
 * parameters are to be left out.
 */
export function fitSchema(schema: Schema, schemas: ChatQuirks["schemas"]): Schema | undefined {
  if (schemas === "gemini") return toGeminiSchema(schema);
  return schemas === "no-patterns" ? (withoutPatterns(schema, "schema") as Schema) : schema;
}

const MAPS: ReadonlySet<string> = new Set(["properties", "$defs", "definitions", "dependentSchemas"]);
const VALUES: ReadonlySet<string> = new Set(["enum", "const", "default", "examples"]);

/** llama.cpp makes a grammar of schemas: "Pattern must start with '^' and end with '$'", and unknown escapes. */
function withoutPatterns(value: unknown, holds: "schema" | "map"): unknown {
  if (Array.isArray(value)) return value.map((item) => withoutPatterns(item, "schema"));
  if (!isRecord(value)) return value;
  const entries = Object.entries(value).filter(([key]) => holds === "map" || !key.startsWith("pattern"));
  return Object.fromEntries(
    entries.map(([key, item]) => {
      if (holds === "map") return [key, withoutPatterns(item, "schema")];
      return [key, VALUES.has(key) ? item : withoutPatterns(item, MAPS.has(key) ? "map" : "schema")];
    }),
  );
}
