import { partsOf, schemaForItem, schemasForKey } from "./children.ts";
import { isRecord, type JsonSchema } from "./json-schema.ts";
import type { Step } from "./judge.ts";
import type { AnySchema } from "./subschemas.ts";

const MAX_BRANCHES = 64;

/** The keys that the schema declares for the object at `path`, in whatever branch. */
export function knownKeys(path: readonly Step[], root: JsonSchema): string[] {
  let at = branches([root], root);
  for (const step of path) {
    const below = at.flatMap((schema): readonly (AnySchema | undefined)[] =>
      typeof step === "number" ? [schemaForItem(schema, step)] : schemasForKey(schema, step),
    );
    at = branches(below.filter(isRecord), root);
  }
  return [...new Set(at.flatMap(({ properties }) => Object.keys(properties ?? {})))];
}

/** The schemas with their parts and the branches of their unions. */
function branches(schemas: readonly JsonSchema[], root: JsonSchema): JsonSchema[] {
  const all = new Set<JsonSchema>();
  const add = (schema: AnySchema): void => {
    if (!isRecord(schema) || all.size >= MAX_BRANCHES) return;
    for (const part of partsOf(schema, root)) {
      if (all.has(part)) continue;
      all.add(part);
      for (const branch of [...(part.anyOf ?? []), ...(part.oneOf ?? [])]) add(branch);
    }
  };
  schemas.forEach(add);
  return [...all];
}
