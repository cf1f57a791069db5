/** A JSON Schema object of any dialect; keywords are read where they are needed. */
export interface JsonSchema {
  type?: string | string[];
  properties?: Record<string, JsonSchema | boolean>;
  required?: string[];
  additionalProperties?: JsonSchema | boolean;
  items?: JsonSchema | boolean;
  anyOf?: (JsonSchema | boolean)[];
  oneOf?: (JsonSchema | boolean)[];
  allOf?: (JsonSchema | boolean)[];
  enum?: unknown[];
  const?: unknown;
  description?: string;
  default?: unknown;
  $ref?: string;
  $defs?: Record<string, JsonSchema | boolean>;
  [keyword: string]: unknown;
}

/** A problem of one value: where it is, and what was expected there. */
export interface Problem {
  path: readonly (string | number)[];
  message: string;
}

export const isRecord = (value: unknown): value is Record<string, unknown> =>
  typeof value === "object" && value !== null && !Array.isArray(value);

/** Follows local `$ref`s ("#", "#/…") from `schema` within `root`; an unresolvable or circular one ends as {}. */
export function dereference(schema: JsonSchema, root: JsonSchema): JsonSchema {
  let current = schema;
  for (let hops = 0; typeof current.$ref === "string" && hops < 32; hops++) {
    const target = pointer(root, current.$ref);
    if (target === undefined) return {};
    current = target;
  }
  return typeof current.$ref === "string" ? {} : current;
}

function pointer(root: JsonSchema, ref: string): JsonSchema | undefined {
  if (ref === "#") return root;
  if (!ref.startsWith("#/")) return undefined;
  let at: unknown = root;
  for (const token of ref.slice(2).split("/")) {
    const key = decodeURIComponent(token).replaceAll("~1", "/").replaceAll("~0", "~");
    if (typeof at !== "object" || at === null || !Object.hasOwn(at, key)) return undefined;
    at = Reflect.get(at, key);
  }
  return isRecord(at) ? at : undefined;
}

/** The types a schema names itself, without looking into its branches. */
export function typesOf(schema: JsonSchema): readonly string[] {
  if (typeof schema.type === "string") return [schema.type];
  return Array.isArray(schema.type) ? schema.type : [];
}

/** The branches of `anyOf` or `oneOf`, or none. */
export function branchesOf(schema: JsonSchema): readonly JsonSchema[] {
  return (schema.anyOf ?? schema.oneOf ?? []).filter(isRecord);
}
