import { isOfType } from "./is-of-type.ts";
import { schemaForItem, schemasForKey } from "./children.ts";
import { dereference, isRecord, type JsonSchema, typesOf } from "./json-schema.ts";
import { judgeSize } from "./judge-size.ts";
import { equalJson } from "./equal-json.ts";
import type { AnySchema } from "./subschemas.ts";
import { tagOf } from "./tag.ts";

export type Step = string | number;

/** One thing in which a value misses a schema: `path` leads there from the value, `keyword` of `schema` says what. */
export interface Misfit {
  path: readonly Step[];
  keyword: string;
  schema: JsonSchema;
  /** What stands there; undefined where nothing does. */
  value: unknown;
}

type Misfits = readonly Misfit[];

const FITS: Misfits = [];
const MAX_MISFITS = 64;
const MAX_DEPTH = 1024;

/**
 * Tells where values miss a schema of one root: types, literals, bounds, keys, items and unions; what it doesn't
 * know (`not`, `if`, formats, `contains`) it takes for fitting. It serves to choose a union's branch and to put
 * problems into words; whether arguments are valid is the validator's word. The time is bounded by the size of the
 * value times that of the schema, unions and references in circles included.
 */
export class Judge {
  readonly root: JsonSchema;
  readonly #known = new Map<unknown, Map<JsonSchema, Misfits>>();

  constructor(root: JsonSchema) {
    this.root = root;
  }

  /** Nothing where the value fits. */
  misfits(value: unknown, schema: AnySchema, depth = 0): Misfits {
    if (!isRecord(schema)) return schema ? FITS : [{ path: [], keyword: "false", schema: {}, value }];
    const composed = schema.$ref ?? schema.anyOf ?? schema.oneOf ?? schema.allOf;
    if (composed === undefined) return this.#own(value, schema, depth);
    if (depth > MAX_DEPTH) return FITS;
    let known = this.#known.get(value);
    if (known === undefined) this.#known.set(value, (known = new Map<JsonSchema, Misfits>()));
    const before = known.get(schema);
    if (before !== undefined) return before;
    // Met again while it is judged: a union that contains itself takes nothing by that branch.
    known.set(schema, [{ path: [], keyword: "anyOf", schema, value }]);
    const found = this.#composed(value, schema, depth + 1);
    known.set(schema, found);
    return found;
  }

  /** The branch of a union that a value comes nearest to, and what it misses there. */
  nearest(
    value: unknown,
    branches: readonly AnySchema[],
    depth = 0,
  ): { branch?: JsonSchema; misfits: Misfits } {
    const judged = branches.map((branch) => ({ branch, misfits: this.misfits(value, branch, depth) }));
    const chosen = judged.find(({ misfits }) => misfits.length === 0);
    if (chosen !== undefined) return entry(chosen);
    const alike = judged.filter(({ misfits }) => !misfits.some(isOfAnotherKind));
    if (alike.length === 0)
      return { misfits: [{ path: [], keyword: "anyOf", schema: { anyOf: [...branches] }, value }] };
    if (alike.length > 1 && isRecord(value)) {
      const tag = tagOf(
        alike.map(({ branch }) => branch),
        this.root,
      );
      if (tag !== undefined) return this.#byTag(value, tag, depth);
    }
    return entry(alike.reduce((best, one) => (one.misfits.length < best.misfits.length ? one : best)));
  }

  #byTag(
    value: Record<string, unknown>,
    { key, branches }: NonNullable<ReturnType<typeof tagOf>>,
    depth: number,
  ): { branch?: JsonSchema; misfits: Misfits } {
    const found = Object.hasOwn(value, key) ? value[key] : undefined;
    const branch = branches.get(found);
    if (branch !== undefined) return { branch, misfits: this.misfits(value, branch, depth) };
    const schema = { enum: [...branches.keys()] };
    return {
      misfits: [{ path: [key], keyword: found === undefined ? "required" : "enum", schema, value: found }],
    };
  }

  #composed(value: unknown, schema: JsonSchema, depth: number): Misfits {
    const found: Misfit[] = [];
    const add = (misfits: Misfits): void => {
      for (const misfit of misfits) if (found.length < MAX_MISFITS) found.push(misfit);
    };
    if (schema.$ref !== undefined)
      add(this.misfits(value, dereference({ $ref: schema.$ref }, this.root), depth));
    add(this.#own(value, schema, depth));
    for (const part of schema.allOf ?? []) add(this.misfits(value, part, depth));
    for (const branches of [schema.anyOf, schema.oneOf]) {
      if (branches !== undefined) add(this.nearest(value, branches, depth).misfits);
    }
    return found.length === 0 ? FITS : found;
  }

  #own(value: unknown, schema: JsonSchema, depth: number): Misfits {
    const types = typesOf(schema);
    const miss = (keyword: string): Misfits => [{ path: [], keyword, schema, value }];
    if (types.length > 0 && !types.some((type) => isOfType(value, type))) return miss("type");
    if (schema.const !== undefined && !equalJson(value, schema.const)) return miss("const");
    if (Array.isArray(schema.enum) && !schema.enum.some((one) => equalJson(value, one))) return miss("enum");
    const sizes = judgeSize(value, schema);
    let found: Misfit[] | undefined =
      sizes.length === 0 ? undefined : sizes.map((keyword) => ({ path: [], keyword, schema, value }));
    const add = (misfit: Misfit): void => {
      found ??= [];
      if (found.length < MAX_MISFITS) found.push(misfit);
    };
    if (Array.isArray(value)) this.#items(value, schema, depth, add);
    else if (isRecord(value)) this.#keys(value, schema, depth, add);
    return found ?? FITS;
  }

  #items(value: readonly unknown[], schema: JsonSchema, depth: number, add: (misfit: Misfit) => void): void {
    if (schema.items === undefined && schema.prefixItems === undefined) return;
    for (const [index, item] of value.entries()) {
      const own = schemaForItem(schema, index);
      if (own === undefined) continue;
      for (const misfit of this.misfits(item, own, depth + 1)) add(below(index, misfit));
    }
  }

  #keys(
    value: Record<string, unknown>,
    schema: JsonSchema,
    depth: number,
    add: (misfit: Misfit) => void,
  ): void {
    for (const key of schema.required ?? []) {
      if (Object.hasOwn(value, key)) continue;
      const [own] = schemasForKey(schema, key);
      add({ path: [key], keyword: "required", schema: isRecord(own) ? own : {}, value: undefined });
    }
    if (
      schema.properties === undefined &&
      schema.additionalProperties === undefined &&
      schema.patternProperties === undefined
    )
      return;
    for (const key of Object.keys(value)) {
      for (const own of schemasForKey(schema, key)) {
        if (own === false && own === schema.additionalProperties) {
          add({ path: [key], keyword: "additionalProperties", schema, value: value[key] });
        } else for (const misfit of this.misfits(value[key], own, depth + 1)) add(below(key, misfit));
      }
    }
  }
}

const entry = ({
  branch,
  misfits,
}: {
  branch: AnySchema;
  misfits: Misfits;
}): { branch?: JsonSchema; misfits: Misfits } => (isRecord(branch) ? { branch, misfits } : { misfits });

const below = (step: Step, misfit: Misfit): Misfit => ({ ...misfit, path: [step, ...misfit.path] });

const KIND = new Set(["type", "const", "enum", "false", "anyOf"]);
const isOfAnotherKind = ({ path, keyword }: Misfit): boolean => path.length === 0 && KIND.has(keyword);
