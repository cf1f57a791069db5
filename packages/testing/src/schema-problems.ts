import type { JsonSchema } from "@toycoder/core";
import { Ajv2020 } from "ajv/dist/2020.js";
import { resolveReference, walkSchema } from "./walk-schema.ts";

let ajv: Ajv2020 | undefined;

/** What makes a value no JSON Schema 2020-12 that stands alone: wrong keywords, references that lead nowhere. */
export function schemaProblems(schema: JsonSchema): string[] {
  ajv ??= new Ajv2020({ strict: false, allErrors: true });
  void ajv.validateSchema(schema);
  const problems = (ajv.errors ?? []).map(
    ({ instancePath, message }) => `${instancePath || "(root)"}: ${message ?? "is not JSON Schema 2020-12"}`,
  );
  for (const { schema: inner, path } of walkSchema(schema)) {
    if (typeof inner === "boolean" || inner.$ref === undefined) continue;
    if (resolveReference(inner.$ref, schema) === undefined)
      problems.push(`${path || "(root)"}: $ref ${inner.$ref} leads nowhere`);
  }
  return [...new Set(problems)];
}
