import type { StandardSchemaV1 } from "@standard-schema/spec";
import { describeMisfit, unknownKey } from "./describe-misfit.ts";
import { type Clues, cluesOf, isOwnWord, tidyMessage } from "./issue-clues.ts";
import type { JsonSchema, Problem } from "./json-schema.ts";
import { Judge, type Misfit, type Step } from "./judge.ts";
import { knownKeys } from "./known-keys.ts";
import { cut } from "./show-short.ts";

type Issue = StandardSchemaV1.Issue;

const MAX_MESSAGE = 240;
/** Problems after these are counted, and told in the validator's words. */
const MAX_DETAILED = 64;

/**
 * What a validator found, in the same words for every kind of schema: the validator says what is wrong, the JSON
 * Schema says what was expected there. A union's branches come down to the nearest one. An author's own message
 * stays. `unknown` are the keys that are refused besides.
 */
export function describeIssues(
  issues: readonly Issue[],
  value: unknown,
  root: JsonSchema,
  unknown: readonly Misfit[],
): Problem[] {
  const misfits = issues.length === 0 ? [] : new Judge(root).misfits(value, root);
  const isKey = ({ keyword }: Misfit): boolean => keyword === "additionalProperties";
  const keys = [...unknown, ...misfits.filter(isKey)];
  const wrong = misfits.filter((misfit) => !isKey(misfit));
  const found = issues.map((issue) => placed(issue, value));
  const unions = found.filter(({ clues }) => clues.isUnion);
  const problems = new Problems(root);

  for (const [index, { issue, path, at, clues }] of found.entries()) {
    const { isUnion } = clues;
    const isHere = (one: Misfit): boolean => (isUnion ? startsWith(one.path, path) : isSame(one.path, path));
    const isNoise = clues.tellsAll && !isUnion && unions.some((union) => startsWith(path, union.path));
    if (index >= MAX_DETAILED) problems.add(path, tidyMessage(issue, clues, at));
    else if (isOwnWord(issue, clues)) problems.add(path, issue.message);
    else if (clues.keys.length > 0) problems.addKeys(path, clues.keys, isNoise, keys);
    else if (keys.some((one) => isSame(one.path, path))) continue;
    else if (wrong.some(isHere)) problems.addAll(wrong.filter(isHere));
    else if (!isNoise && !(isUnion && keys.some(isHere))) problems.add(path, tidyMessage(issue, clues, at));
  }
  problems.addAll(keys);
  return problems.list;
}

class Problems {
  readonly list: Problem[] = [];
  readonly #seen = new Set<string>();
  readonly #root: JsonSchema;

  constructor(root: JsonSchema) {
    this.#root = root;
  }

  add(path: readonly Step[], message: string): void {
    const id = JSON.stringify([path, message]);
    if (this.#seen.has(id)) return;
    this.#seen.add(id);
    this.list.push({ path, message: cut(message, MAX_MESSAGE) });
  }

  addAll(misfits: readonly Misfit[]): void {
    for (const misfit of misfits) this.add(misfit.path, describeMisfit(misfit, this.#root));
  }

  /** Keys that the validator doesn't know, without those that `misfits` will tell better. */
  addKeys(
    path: readonly Step[],
    keys: readonly string[],
    isNoise: boolean,
    misfits: readonly Misfit[],
  ): void {
    for (const key of keys) {
      const at = [...path, key];
      if (!isNoise && !misfits.some((one) => isSame(one.path, at))) {
        this.add(at, unknownKey(key, knownKeys(path, this.#root)));
      }
    }
  }
}

interface Placed {
  issue: Issue;
  clues: Clues;
  path: Step[];
  /** What stands there. */
  at: unknown;
}

/** An issue with its path: numbers for the items of lists, which Ajv writes as strings. */
function placed(issue: Issue, value: unknown): Placed {
  let at = value;
  const path = (issue.path ?? []).map((segment) => {
    const key = typeof segment === "object" ? segment.key : segment;
    const step = Array.isArray(at) ? Number(key) : typeof key === "number" ? key : String(key);
    at = typeof at === "object" && at !== null && Object.hasOwn(at, step) ? Reflect.get(at, step) : undefined;
    return step;
  });
  return { issue, clues: cluesOf(issue), path, at };
}

const isSame = (a: readonly Step[], b: readonly Step[]): boolean => a.length === b.length && startsWith(a, b);
const startsWith = (path: readonly Step[], start: readonly Step[]): boolean =>
  start.every((step, index) => path[index] === step);
