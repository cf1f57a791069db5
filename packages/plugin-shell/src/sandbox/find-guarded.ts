import { lstatSync, readlinkSync, realpathSync, type Stats } from "node:fs";
import path from "node:path";
import type { PathBounds } from "@toycoder/core";
import type { FolderListings } from "./folder-listing.ts";

/** What permissions refuse a command, as far as it exists. All paths are absolute. */
export interface Guarded {
  /** What cannot be read, by its real path; the value tells a folder. */
  readonly hidden: ReadonlyMap<string, boolean>;
  /** What cannot be written, by its real path. */
  readonly readOnly: ReadonlySet<string>;
  /** Each path that a rule on writes covers by itself, with what is there: see {@link entryAt}. */
  readonly entries: ReadonlyMap<string, string>;
}

/** What is looked for, and where: rules of any depth hold in the roots. */
export interface GuardedScope {
  readonly roots: readonly string[];
  readonly reads: PathBounds | undefined;
  readonly writes: PathBounds | undefined;
  /** Of this scope alone. */
  readonly listings: FolderListings;
}

/** Looks through the roots, and through the places outside of them that rules on reads name. */
export function findGuarded({ roots, reads, writes, listings }: GuardedScope): Guarded {
  const hidden = new Map<string, boolean>();
  const readOnly = new Set<string>();
  const entries = new Map<string, string>();
  const covers = (bounds: PathBounds | undefined, file: string): boolean => bounds?.covers(file) === true;

  /** What a rule on writes covers is no further matched against such rules: `inside`. */
  function visit(file: string, inside: boolean): void {
    const folders = [[file, inside] as const];
    for (let next = folders.pop(); next !== undefined; next = folders.pop()) {
      const [folder, covered] = next;
      const listing = listings.read(folder, (name) => {
        const one = path.join(folder, name);
        return covers(reads, one) || (!covered && covers(writes, one));
      });
      const known = new Set(listing.covered);
      for (const name of known) guard(path.join(folder, name), covered);
      for (const name of listing.folders) {
        const one = path.join(folder, name);
        if (known.has(name) && covers(reads, one)) continue;
        const within = covered || (known.has(name) && covers(writes, one));
        if (mayHold(one, within)) folders.push([one, within]);
      }
    }
  }

  const mayHold = (folder: string, inside: boolean): boolean =>
    reads?.reaches(folder) === true || (!inside && writes?.reaches(folder) === true);

  function guard(file: string, inside: boolean): void {
    const stats = statsOf(file);
    if (stats === undefined) return;
    const refusesWrites = !inside && covers(writes, file);
    if (refusesWrites) entries.set(file, describe(file, stats));
    // A link cannot be covered itself: where it leads is.
    const real = stats.isSymbolicLink() ? realPath(file) : file;
    const target = real === undefined ? undefined : statsOf(real);
    if (real === undefined || target === undefined) return;
    // A link to a folder that holds a root hides nothing: all of that is the workspace.
    if (covers(reads, file) && !(real !== file && holdsRoot(real))) hidden.set(real, target.isDirectory());
    else if (refusesWrites) readOnly.add(real);
  }

  const holdsRoot = (folder: string): boolean =>
    folder === "/" || roots.some((root) => root === folder || root.startsWith(`${folder}/`));

  for (const start of startsOf(roots, reads?.places ?? [])) {
    const stats = statsOf(start);
    if (stats === undefined) continue;
    const inside = covers(writes, start);
    if (inside || covers(reads, start)) guard(start, false);
    if (stats.isDirectory() && !covers(reads, start) && mayHold(start, inside)) visit(start, inside);
  }
  return { hidden, readOnly, entries };
}

/** The roots and the places outside of them, none beneath another. */
function startsOf(roots: readonly string[], places: readonly string[]): string[] {
  const all = new Set([...roots, ...places.filter((place) => place !== "/")]);
  return [...all].filter((one) => ![...all].some((other) => other !== one && one.startsWith(`${other}/`)));
}

/** Tells one file, folder or link from another at the same path; undefined where nothing is. */
export function entryAt(file: string): string | undefined {
  const stats = statsOf(file);
  return stats === undefined ? undefined : describe(file, stats);
}

const describe = (file: string, stats: Stats): string =>
  stats.isSymbolicLink() ? `link ${readlinkSync(file)}` : `${stats.dev}:${stats.ino}`;

const statsOf = (file: string): Stats | undefined =>
  attempt(() => lstatSync(file, { throwIfNoEntry: false }));

const realPath = (file: string): string | undefined => attempt(() => realpathSync.native(file));

function attempt<T>(read: () => T): T | undefined {
  try {
    return read();
  } catch {
    return undefined;
  }
}
