import { textHash } from "@toycoder/core/wire";

const MAX_LENGTH = 64;
const MAX_PREFIX = 32;
const HASH_LENGTH = 8;

/** What the registry compares names by: case and separators do not tell two names apart. */
export const foldName = (name: string): string => name.toLowerCase().replaceAll(/[^a-z0-9]/g, "");

/**
 * The first parts of the servers' tool names. Servers whose names come to the same part get a hash beside it, all
 * but the one that is written so.
 */
export function serverPrefixes(servers: readonly string[]): ReadonlyMap<string, string> {
  const plain = (server: string): string => {
    const whole = legal(server.toLowerCase(), server);
    return whole.length <= MAX_PREFIX ? whole : hashed(whole, server, MAX_PREFIX);
  };
  const byFold = Map.groupBy(servers, (server) => foldName(plain(server)));
  return new Map(
    servers.map((server) => {
      const prefix = plain(server);
      const alone = (byFold.get(foldName(prefix)) ?? []).length === 1;
      return [server, alone || prefix === server ? prefix : hashed(prefix, server, MAX_PREFIX)];
    }),
  );
}

/**
 * Names for a server's tools: `server__tool` in snake_case, the same for the same tool whatever else is listed. A
 * name that is too long, loses characters or is taken already gets a hash of the tool's own name.
 */
export function toolNames(
  prefix: string,
  tools: readonly string[],
  isTaken: (folded: string) => boolean,
): ReadonlyMap<string, string> {
  const names = new Map<string, string>();
  const given = new Set<string>();
  const free = (name: string): boolean => !given.has(foldName(name)) && !isTaken(foldName(name));
  // Names that are written so already go first: a new tool does not take them away.
  for (const tool of tools.toSorted((a, b) => rank(a) - rank(b) || (a < b ? -1 : 1))) {
    const plain = `${prefix}__${legal(snakeCase(tool), tool)}`;
    let name = plain.length <= MAX_LENGTH ? plain : hashed(plain, tool, MAX_LENGTH);
    for (let salt = 0; !free(name); salt++)
      name = hashed(plain, salt === 0 ? tool : `${tool}#${salt}`, MAX_LENGTH);
    given.add(foldName(name));
    names.set(tool, name);
  }
  return names;
}

const rank = (tool: string): number => (/^[a-z][a-z0-9_]*$/.test(tool) ? 0 : 1);

const snakeCase = (name: string): string =>
  name
    .replaceAll(/([a-z0-9])([A-Z])/g, "$1_$2")
    .replaceAll(/([A-Z]+)([A-Z][a-z])/g, "$1_$2")
    .toLowerCase();

/** With the characters of a tool's name alone; what loses others than separators is told apart by a hash. */
function legal(name: string, original: string): string {
  const kept = name.replaceAll(/[^a-z0-9]+/g, "_").replaceAll(/^_+|_+$/g, "");
  const lossless = /^[\w\s./:-]+$/.test(original) && kept !== "";
  const begun = /^[a-z]/.test(kept) ? kept : kept === "" ? "x" : `x${kept}`;
  return lossless ? begun : hashed(begun, original, MAX_PREFIX);
}

const hashed = (name: string, of: string, maxLength: number): string =>
  `${name.slice(0, maxLength - HASH_LENGTH - 1)}_${textHash(of, HASH_LENGTH)}`;
