import { textHash } from "@toycoder/core/wire";

const MAX_LENGTH = 64;
const HASH_LENGTH = 8;

/**
 * Names by the registry's rules for another framework's names, in snake_case; the same name for the same tool,
 * whatever the order. One that is too long, loses characters, or comes to the name of another gets a hash.
 */
export function toolNames(names: Iterable<string>): ReadonlyMap<string, string> {
  const fitted = new Map<string, string>();
  const taken = new Set<string>();
  // Names that fit as they are keep theirs, whatever comes beside them.
  for (const name of [...new Set(names)].sort((a, b) => rank(a) - rank(b) || (a < b ? -1 : 1))) {
    let own = fit(name);
    for (let salt = 0; taken.has(fold(own)); salt++) {
      own = hashed(fit(name), salt === 0 ? name : `${name}#${salt}`);
    }
    taken.add(fold(own));
    fitted.set(name, own);
  }
  return fitted;
}

const rank = (name: string): number => (/^[a-z][a-z0-9_]{0,63}$/.test(name) ? 0 : 1);

/** What the registry compares names by. */
const fold = (name: string): string => name.replaceAll("_", "");

function fit(name: string): string {
  if (rank(name) === 0) return name;
  const kept = snakeCase(name)
    .replaceAll(/[^a-z0-9]+/g, "_")
    .replaceAll(/^_+|_+$/g, "");
  const begun = /^[a-z]/.test(kept) ? kept : `x${kept}`;
  const isLossless = /^[\w\s./:-]+$/.test(name) && kept !== "" && begun.length <= MAX_LENGTH;
  return isLossless ? begun : hashed(begun, name);
}

const snakeCase = (name: string): string =>
  name
    .replaceAll(/([a-z0-9])([A-Z])/g, "$1_$2")
    .replaceAll(/([A-Z]+)([A-Z][a-z])/g, "$1_$2")
    .toLowerCase();

const hashed = (name: string, of: string): string =>
  `${name.slice(0, MAX_LENGTH - HASH_LENGTH - 1)}_${textHash(of, HASH_LENGTH)}`;
