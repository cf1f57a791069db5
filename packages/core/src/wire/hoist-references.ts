import { isRecord, type JsonSchema, pointer } from "../schema/json-schema.ts";
import { mapSubschemas } from "../schema/subschemas.ts";

const DEFINITION = /^#\/\$defs\/([^/~%]+)$/;

/**
 * The same schema with every reference leading to `#/$defs/NAME`, or to the root: strict mode takes no others, and
 * the rest would break where a root is flattened or its properties are renamed. `$defs` keeps only what is
 * referred to. With `root: true`, references to the root lead to a definition as well.
 */
export function hoistReferences(root: JsonSchema, options: { root?: boolean } = {}): JsonSchema {
  const { $defs = {}, definitions: _, ...own } = root;
  const names = new Map<string, string>();
  const taken = new Set(Object.keys($defs));
  const found: [name: string, target: JsonSchema | boolean][] = [];

  const nameFor = (reference: string, target: JsonSchema | boolean): string => {
    const known = names.get(reference);
    if (known !== undefined) return known;
    const given = DEFINITION.exec(reference)?.[1];
    const name = given ?? freeName(reference, taken);
    taken.add(name);
    names.set(reference, name);
    found.push([name, target]);
    return name;
  };
  const rewrite = (schema: JsonSchema): JsonSchema => {
    const copy = mapSubschemas(schema, rewrite);
    if (schema !== root) delete copy.$defs;
    if (typeof schema.$ref !== "string" || (schema.$ref === "#" && options.root !== true)) return copy;
    const target = schema.$ref === "#" ? own : pointer(root, schema.$ref);
    if (isRecord(target) || typeof target === "boolean")
      copy.$ref = `#/$defs/${nameFor(schema.$ref, target)}`;
    return copy;
  };

  const hoisted = rewrite(own);
  const definitions: [string, JsonSchema | boolean][] = [];
  for (const [name, target] of found) {
    definitions.push([name, isRecord(target) ? rewrite(target) : target]);
  }
  if (definitions.length > 0) hoisted.$defs = Object.fromEntries(definitions.sort(byName));
  return hoisted;
}

const byName = ([a]: [string, unknown], [b]: [string, unknown]): number => (a < b ? -1 : 1);

function freeName(reference: string, taken: ReadonlySet<string>): string {
  const last = reference.slice(reference.lastIndexOf("/") + 1).replace(/[^a-zA-Z0-9_]/g, "_");
  const name = /[a-zA-Z0-9]/.test(last) ? last : "root";
  let free = name;
  for (let count = 2; taken.has(free); count++) free = `${name}_${count}`;
  return free;
}
