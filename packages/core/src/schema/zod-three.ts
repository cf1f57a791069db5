import { createRequire } from "node:module";
import type * as ZodToJsonSchema from "zod-to-json-schema";
import type { ZodThreeMark } from "./input-schema.ts";
import { isRecord } from "./json-schema.ts";
import { escape } from "./local-references.ts";

/** What JSON has no form for; zod-to-json-schema writes something that zod itself then refuses. */
const UNSAYABLE = new Set([
  "ZodBigInt", "ZodDate", "ZodFunction", "ZodMap", "ZodNaN", "ZodPromise", "ZodSet", "ZodSymbol", "ZodUndefined", "ZodVoid",
]); // prettier-ignore

export const isZodThree = (schema: object): schema is ZodThreeMark => {
  const definition: unknown = Reflect.get(schema, "_def");
  return (
    isRecord(definition) && typeof definition.typeName === "string" && definition.typeName.startsWith("Zod")
  );
};

/**
 * The JSON Schema (draft-07) of a zod 3 schema's input; what is used twice stands there twice, what contains
 * itself refers to itself. zod-to-json-schema is loaded here, at once, because a tool's `jsonSchema` is read
 * without waiting. Throws an Error for what JSON can't say (dates, sets, BigInts).
 */
export function convertZodThree(schema: ZodThreeMark): unknown {
  const { zodToJsonSchema, ignoreOverride } = createRequire(import.meta.url)(
    "zod-to-json-schema",
  ) as typeof ZodToJsonSchema;
  return zodToJsonSchema(schema as unknown as Parameters<typeof zodToJsonSchema>[0], {
    effectStrategy: "input",
    pipeStrategy: "input",
    $refStrategy: "none",
    override: (definition, { currentPath }, seen) => {
      const { typeName, coerce } = definition as { typeName?: string; coerce?: boolean };
      if (typeName !== undefined && UNSAYABLE.has(typeName) && coerce !== true) {
        throw new Error(`${placeOf(currentPath)}${typeName.slice(3)} cannot be represented in JSON Schema`);
      }
      const contains = seen !== undefined && seen.path.length < currentPath.length;
      if (!contains || !seen.path.every((step, index) => step === currentPath[index])) return ignoreOverride;
      return { $ref: `#${seen.path.slice(1).map(escape).join("")}` };
    },
  });
}

const placeOf = (path: readonly string[]): string => (path.length > 1 ? `${path.slice(1).join(".")}: ` : "");
