import { textHash } from "./text-hash.ts";

/** What a provider takes as a tool's name: a length in characters, and the characters themselves. */
export interface NameLimits {
  maxLength: number;
  /** Matches one character that is not allowed. Needs the `g` flag. */
  forbidden: RegExp;
}

/** Names on the wire, both ways. A name that fits is its own alias. */
export interface Aliases {
  encode(name: string): string;
  /** The name behind a wire name; one that was never given out comes back as it is. */
  decode(wireName: string): string;
}

const HASH_LENGTH = 8;

/**
 * Aliases for `names`, independent of their order: a name that is too long or has forbidden characters becomes
 * its legal characters, cut, and a hash of the whole; where that is taken, the hash is salted until it is free.
 * Names outside the list (of tools since disabled) get an alias when they are first encoded.
 */
export function createAliases(names: Iterable<string>, limits: NameLimits): Aliases {
  const wireNames = new Map<string, string>();
  const originals = new Map<string, string>();
  const fits = (name: string): boolean =>
    name !== "" && name.length <= limits.maxLength && name.search(limits.forbidden) === -1;

  const add = (name: string): string => {
    let alias = fits(name) ? name : shorten(name, name, limits);
    for (let salt = 1; originals.has(alias); salt++) alias = shorten(name, `${name}#${salt}`, limits);
    wireNames.set(name, alias);
    originals.set(alias, name);
    return alias;
  };

  const sorted = [...new Set(names)].sort();
  for (const name of sorted) if (fits(name)) add(name);
  for (const name of sorted) if (!wireNames.has(name)) add(name);
  return {
    encode: (name) => wireNames.get(name) ?? add(name),
    decode: (wireName) => originals.get(wireName) ?? wireName,
  };
}

function shorten(name: string, hashed: string, { maxLength, forbidden }: NameLimits): string {
  const legal = name.replace(forbidden, "_").slice(0, maxLength - HASH_LENGTH - 1);
  return `${legal}_${textHash(hashed, HASH_LENGTH)}`;
}
