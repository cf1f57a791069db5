import { partsOf, schemaForItem, schemasForKey } from "./children.ts";
import { coerceText } from "./coerce-text.ts";
import { isRecord, type JsonSchema } from "./json-schema.ts";
import { Judge } from "./judge.ts";
import type { AnySchema } from "./subschemas.ts";
import { tagOf } from "./tag.ts";

/**
 * Models write numbers and booleans as strings, objects as JSON texts, and null for what they leave out. This
 * table is all that is converted, and only where the schema forbids what stands there:
 *
 * | the schema wants     | the value                                      | becomes          |
 * | -------------------- | ---------------------------------------------- | ---------------- |
 * | number, integer      | a decimal text: "1", "1.0", " 2 ", "1e3", "-4" | the number       |
 * | boolean              | "true", "false" in any case                    | the boolean      |
 * | object, array        | a JSON text of that type                       | the parsed value |
 * | an optional property | null, where the schema forbids null            | absent           |
 *
 * So "yes" and "1" are no booleans, "" and "0x10" no numbers, and a text stays a text wherever a string is taken.
 * `const` and `enum` want the types of their values. It goes through properties, patterns and additional ones,
 * items and tuples, references, `allOf` and unions. In a union a value that fits a branch stays as it is; else the
 * branch of its tag, the first branch that it then fits, or the one that it comes nearest to, guides it.
 *
 * The value is never mutated; unchanged parts are shared with the result. The time is bounded by the size of the
 * value times that of the schema.
 */
export function coerce(value: unknown, schema: JsonSchema, root: JsonSchema = schema): unknown {
  return new Coercion(root).coerce(value, schema, 0);
}

/** Far over what arguments may be nested (see `too-deep`): it only stops references in circles. */
const MAX_DEPTH = 1024;

class Coercion {
  readonly #root: JsonSchema;
  #judge: Judge | undefined;
  #known: Map<unknown, Map<object, unknown>> | undefined;

  constructor(root: JsonSchema) {
    this.#root = root;
  }

  coerce(value: unknown, schema: AnySchema | undefined, depth: number): unknown {
    if (!isRecord(schema) || depth > MAX_DEPTH) return value;
    if (schema.$ref === undefined && schema.allOf === undefined) {
      const own = typeof value === "string" ? coerceText(value, schema) : value;
      const inside = typeof own === "object" && own !== null ? this.#inside(own, [schema], depth) : own;
      return schema.anyOf === undefined && schema.oneOf === undefined
        ? inside
        : this.#unions(inside, schema, depth);
    }
    return this.#once(value, schema, () => this.#composed(value, partsOf(schema, this.#root), depth));
  }

  #composed(value: unknown, parts: readonly JsonSchema[], depth: number): unknown {
    let result = value;
    for (const part of parts) if (typeof result === "string") result = coerceText(result, part);
    if (typeof result === "object" && result !== null) result = this.#inside(result, parts, depth);
    for (const part of parts) result = this.#unions(result, part, depth);
    return result;
  }

  /** The keys or items of a value, each by all the schemas that hold for it. */
  #inside(value: object, parts: readonly JsonSchema[], depth: number): object {
    return Array.isArray(value)
      ? this.#items(value, parts, depth)
      : this.#keys(value as Record<string, unknown>, parts, depth);
  }

  #items(value: readonly unknown[], parts: readonly JsonSchema[], depth: number): readonly unknown[] {
    let copy: unknown[] | undefined;
    for (const schema of parts) {
      if (schema.items === undefined && schema.prefixItems === undefined) continue;
      for (let index = 0; index < value.length; index++) {
        const item: unknown = (copy ?? value)[index];
        const converted = this.coerce(item, schemaForItem(schema, index), depth + 1);
        if (converted !== item) (copy ??= [...value])[index] = converted;
      }
    }
    return copy ?? value;
  }

  #keys(
    value: Record<string, unknown>,
    parts: readonly JsonSchema[],
    depth: number,
  ): Record<string, unknown> {
    let copy: Record<string, unknown> | undefined;
    for (const key of Object.keys(value)) {
      const item = value[key];
      if (item === null && this.#standsForAbsent(key, parts)) {
        delete (copy ??= { ...value })[key];
        continue;
      }
      let converted = item;
      for (const part of parts) {
        for (const schema of schemasForKey(part, key)) converted = this.coerce(converted, schema, depth + 1);
      }
      if (converted !== item) put((copy ??= { ...value }), key, converted);
    }
    return copy ?? value;
  }

  /** Whether null under a key is a declared, optional property's that forbids null. */
  #standsForAbsent(key: string, parts: readonly JsonSchema[]): boolean {
    let forbidden = false;
    for (const { properties, required } of parts) {
      if (required?.includes(key) === true) return false;
      const own = properties !== undefined && Object.hasOwn(properties, key) ? properties[key] : undefined;
      if (own !== undefined && this.#misses(null, own)) forbidden = true;
    }
    return forbidden;
  }

  #unions(value: unknown, { anyOf, oneOf }: JsonSchema, depth: number): unknown {
    let result = value;
    if (anyOf !== undefined) result = this.#union(result, anyOf, depth);
    if (oneOf !== undefined) result = this.#union(result, oneOf, depth);
    return result;
  }

  #union(value: unknown, branches: readonly AnySchema[], depth: number): unknown {
    if (value === null || (typeof value !== "object" && typeof value !== "string")) return value;
    return this.#once(value, branches, () => this.#branch(value, branches, depth + 1));
  }

  /**
   * Takes a value through a union or a composed schema once, however many ways lead there: that bounds the time, and
   * ends circles. Equal texts don't become one object.
   */
  #once(value: unknown, schema: object, convert: () => unknown): unknown {
    this.#known ??= new Map();
    let known = this.#known.get(value);
    if (known === undefined) this.#known.set(value, (known = new Map<object, unknown>()));
    if (known.has(schema)) {
      const result = known.get(schema);
      return typeof value === "string" && typeof result === "object" ? structuredClone(result) : result;
    }
    known.set(schema, value);
    const result = convert();
    known.set(schema, result);
    return result;
  }

  #branch(value: string | object, branches: readonly AnySchema[], depth: number): unknown {
    if (isRecord(value)) {
      const tag = tagOf(branches, this.#root);
      const tagged = tag?.branches.get(value[tag.key]);
      if (tagged !== undefined) return this.coerce(value, tagged, depth);
    }
    if (branches.some((branch) => !this.#misses(value, branch))) return value;
    const candidates: unknown[] = [];
    for (const branch of branches) {
      const converted = this.coerce(value, branch, depth);
      if (converted !== value && !this.#misses(converted, branch)) return converted;
      candidates.push(converted);
    }
    if (typeof value === "string") return value;
    const { branch } = (this.#judge ??= new Judge(this.#root)).nearest(value, branches);
    return branch === undefined ? value : candidates[branches.indexOf(branch)];
  }

  #misses(value: unknown, schema: AnySchema): boolean {
    return (this.#judge ??= new Judge(this.#root)).misfits(value, schema).length > 0;
  }
}

/** `__proto__` is a key like any other. */
function put(target: Record<string, unknown>, key: string, value: unknown): void {
  if (key !== "__proto__") target[key] = value;
  else Object.defineProperty(target, key, { value, enumerable: true, configurable: true, writable: true });
}
