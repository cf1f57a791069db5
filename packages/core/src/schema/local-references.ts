import { isRecord, type JsonSchema, pointer } from "./json-schema.ts";
import { notConvertible } from "./not-convertible.ts";
import { subschemas } from "./subschemas.ts";

/** For a schema with `$ref` (or one of its kin): the steps from the root to what it names; null for a meta-schema. */
export type References = ReadonlyMap<JsonSchema, readonly string[] | null>;

const META_SCHEMA = /^https?:\/\/json-schema\.org\/(?:draft[-/][^#]+\/)?schema#?$/;
const NOWHERE = "schema:/";

interface Place {
  schema: JsonSchema;
  steps: readonly string[];
  base: string;
}

/**
 * Resolves every reference of a schema within itself, by pointer, `$anchor` or `$id`. Throws a SetupError
 * `schema_not_convertible` for one that leads outside (nothing is ever fetched) or nowhere.
 */
export function localReferences(root: JsonSchema): References {
  const places = [...placesIn(root, [], NOWHERE)];
  const targets = new Map<string, readonly string[]>();
  for (const { schema, steps, base } of places) {
    if (steps.length === 0 || ownId(schema) !== undefined) targets.set(base, steps);
    for (const anchor of [schema.$anchor, schema.$dynamicAnchor, ownAnchor(schema)]) {
      if (typeof anchor === "string") targets.set(`${base}#${anchor}`, steps);
    }
  }
  const references = new Map<JsonSchema, readonly string[] | null>();
  for (const { schema, steps, base } of places) {
    const ref = schema.$ref ?? schema.$dynamicRef ?? schema.$recursiveRef;
    if (typeof ref === "string") references.set(schema, resolve(ref, base, root, targets, steps));
  }
  return references;
}

function* placesIn(schema: JsonSchema, steps: readonly string[], outer: string): Generator<Place> {
  const base = baseOf(schema, outer);
  yield { schema, steps, base };
  for (const [more, subschema] of subschemas(schema)) {
    if (isRecord(subschema)) yield* placesIn(subschema, [...steps, ...more], base);
  }
}

/** `$id` without a fragment opens a resource of its own; in older dialects `$id: "#name"` is an anchor. */
const ownId = (schema: JsonSchema): string | undefined =>
  typeof schema.$id === "string" && !schema.$id.startsWith("#") ? schema.$id : undefined;
const ownAnchor = (schema: JsonSchema): string | undefined =>
  typeof schema.$id === "string" && schema.$id.startsWith("#") ? schema.$id.slice(1) : undefined;

function baseOf(schema: JsonSchema, outer: string): string {
  const id = ownId(schema);
  return id === undefined ? outer : withoutFragment(absolute(id, outer));
}

function absolute(uri: string, base: string): string {
  try {
    return new URL(uri, base).href;
  } catch {
    return uri.startsWith("#") ? `${base}${uri}` : uri;
  }
}

const withoutFragment = (uri: string): string => uri.split("#", 1)[0] ?? uri;

function resolve(
  ref: string,
  base: string,
  root: JsonSchema,
  targets: ReadonlyMap<string, readonly string[]>,
  at: readonly string[],
): readonly string[] | null {
  if (META_SCHEMA.test(ref)) return null;
  const uri = absolute(ref, base);
  const document = withoutFragment(uri);
  const fragment = uri.slice(document.length);
  const named = targets.get(fragment === "#" ? document : uri);
  if (named !== undefined) return named;
  const resource = targets.get(document);
  if (resource === undefined) {
    throw notConvertible(`$ref ${JSON.stringify(ref)} leads outside of the schema; it is not fetched`, at, {
      hint: "put what it names under $defs",
    });
  }
  const steps = fragment.startsWith("#/") ? fragment.slice(2).split("/").map(unescape) : undefined;
  const found = steps && pointer(root, `#${[...resource, ...steps].map(escape).join("")}`);
  if (steps === undefined || (!isRecord(found) && typeof found !== "boolean")) {
    throw notConvertible(`$ref ${JSON.stringify(ref)} names nothing in the schema`, at);
  }
  return [...resource, ...steps];
}

function unescape(token: string): string {
  let decoded = token;
  try {
    decoded = decodeURIComponent(token);
  } catch {
    // A stray % is itself.
  }
  return decoded.replaceAll("~1", "/").replaceAll("~0", "~");
}

/** A step as a pointer's token, with its slash. */
export const escape = (step: string): string =>
  `/${encodeURIComponent(step.replaceAll("~", "~0").replaceAll("/", "~1")).replaceAll("%24", "$")}`;
