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

/** Whether something is an object with keys: no list, not null. */
export const isRecord = (value: unknown): value is Record<string, unknown> =>
  typeof value === "object" && value !== null && !Array.isArray(value);

/** Follows local `$ref`s ("#", "#/…") from `schema` within `root`; an unresolvable or circular one ends as {}. */
export function dereference(schema: JsonSchema, root: JsonSchema): JsonSchema {
  let current = schema;
  for (let hops = 0; typeof current.$ref === "string" && hops < 32; hops++) {
    const target = pointer(root, current.$ref);
    if (!isRecord(target)) return {};
    current = target;
  }
  return typeof current.$ref === "string" ? {} : current;
}

/** What a local reference ("#", "#/a/b~1c") names within `root`, whatever it is; undefined where there is nothing. */
export function pointer(root: unknown, ref: string): unknown {
  let at: unknown = root;
  for (const key of pointerTokens(ref)) {
    if (typeof at !== "object" || at === null || !Object.hasOwn(at, key)) return undefined;
    at = Reflect.get(at, key);
  }
  return at;
}

/** The steps of a JSON pointer in a fragment, unescaped. */
function pointerTokens(ref: string): string[] {
  if (ref === "#" || ref === "") return [];
  if (!ref.startsWith("#/")) return ["\u0000"];
  return ref
    .slice(2)
    .split("/")
    .map((token) => decode(token).replaceAll("~1", "/").replaceAll("~0", "~"));
}

function decode(token: string): string {
  try {
    return decodeURIComponent(token);
  } catch {
    return token;
  }
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
