import { partsOf, schemaForItem, schemasForKey } from "./children.ts";
import { isRecord, type JsonSchema } from "./json-schema.ts";
import { Judge, type Misfit, type Step } from "./judge.ts";
import type { AnySchema } from "./subschemas.ts";
import { tagOf } from "./tag.ts";

/**
 * The keys of `value` that a closed object of the schema doesn't know, at any depth: also where the validator
 * would take them out in silence. In a union the branch that the value fits (or comes nearest to) decides.
 */
export function unknownKeys(value: unknown, root: JsonSchema): readonly Misfit[] {
  const search = new Search(root);
  search.within(value, root);
  return search.found;
}

const NONE: readonly Misfit[] = [];
const MAX_FOUND = 64;

class Search {
  found: readonly Misfit[] = NONE;
  readonly #root: JsonSchema;
  readonly #path: Step[] = [];
  readonly #done = new Map<object, Set<JsonSchema>>();
  #judge: Judge | undefined;

  constructor(root: JsonSchema) {
    this.#root = root;
  }

  within(value: unknown, given: AnySchema | undefined): void {
    if (typeof value !== "object" || value === null || !isRecord(given)) return;
    const simple = given.$ref === undefined && given.allOf === undefined;
    if (!simple && this.#isDone(value, given)) return;
    for (const schema of simple ? [given] : partsOf(given, this.#root)) {
      if (Array.isArray(value)) this.#items(value, schema);
      else this.#keys(value as Record<string, unknown>, schema);
      if (schema.anyOf !== undefined) this.#union(value, schema.anyOf);
      if (schema.oneOf !== undefined) this.#union(value, schema.oneOf);
    }
  }

  /** Several parts may lead to the same schema again, and their parts once more. */
  #isDone(value: object, schema: JsonSchema): boolean {
    const done = this.#done.get(value);
    if (done === undefined) this.#done.set(value, new Set([schema]));
    else if (done.has(schema)) return true;
    else done.add(schema);
    return false;
  }

  #items(value: readonly unknown[], schema: JsonSchema): void {
    if (schema.items === undefined && schema.prefixItems === undefined) return;
    for (let index = 0; index < value.length; index++) {
      if (typeof value[index] !== "object") continue;
      this.#path.push(index);
      this.within(value[index], schemaForItem(schema, index));
      this.#path.pop();
    }
  }

  #keys(value: Record<string, unknown>, schema: JsonSchema): void {
    const closed = schema.additionalProperties === false;
    for (const key of Object.keys(value)) {
      const known = schemasForKey(schema, key);
      if (closed && known[0] === false && !Object.hasOwn(schema.properties ?? {}, key)) {
        this.#add({ path: [...this.#path, key], keyword: "additionalProperties", schema, value: value[key] });
      } else if (typeof value[key] === "object") {
        this.#path.push(key);
        for (const subschema of known) this.within(value[key], subschema);
        this.#path.pop();
      }
    }
  }

  #union(value: object, branches: readonly AnySchema[]): void {
    const tag = Array.isArray(value) ? undefined : tagOf(branches, this.#root);
    const tagged = tag?.branches.get(Reflect.get(value, tag.key));
    if (tagged !== undefined) {
      this.within(value, tagged);
      return;
    }
    this.#judge ??= new Judge(this.#root);
    for (const misfit of this.#judge.nearest(value, branches).misfits) {
      if (misfit.keyword === "additionalProperties")
        this.#add({ ...misfit, path: [...this.#path, ...misfit.path] });
    }
  }

  #add(misfit: Misfit): void {
    if (this.found.length < MAX_FOUND) this.found = [...this.found, misfit];
  }
}
