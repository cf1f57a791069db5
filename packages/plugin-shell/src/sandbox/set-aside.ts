import { existsSync, renameSync, symlinkSync } from "node:fs";
import path from "node:path";
import { entryAt, findGuarded, type Guarded, type GuardedScope } from "./find-guarded.ts";
import { isPlaceholder } from "./placeholders.ts";

/**
 * Looks for what a command has made where rules refuse writes: bubblewrap protects what was there and the names in
 * the roots, not a name that appears in some other folder. It is renamed, never deleted (it might be a person's),
 * and a protected link that was replaced is put back. Gives what was found, in words.
 */
export function setAside(before: Guarded, scope: GuardedScope): string[] {
  const after = findGuarded(scope).entries;
  const [root = "/"] = scope.roots;
  const show = (file: string): string => (file.startsWith(`${root}/`) ? path.relative(root, file) : file);
  const places = new Map([...before.entries].map(([file, entry]) => [entry, file]));
  const moved = new Set<string>();
  const told: string[] = [];

  for (const [file, entry] of after) {
    const from = places.get(entry);
    if (from === undefined || from === file || entry.startsWith("link ") || after.get(from) === entry)
      continue;
    // Protected from writes, but in a folder that could be renamed.
    moved.add(from);
    told.push(`${show(from)} was moved to ${show(file)}`);
  }
  for (const [file, entry] of after) {
    const known = before.entries.get(file);
    if (known === entry || places.has(entry) || isPlaceholder(file)) continue;
    // A file that was replaced where it is was not replaced from within: there it is a mount.
    const isNew = known === undefined || known.startsWith("link ") || moved.has(file);
    if (isNew) told.push(`${show(file)} may not be made, and is now ${show(rename(file))}`);
  }
  for (const [file, entry] of before.entries) {
    if (!entry.startsWith("link ") || entryAt(file) !== undefined || !existsSync(path.dirname(file)))
      continue;
    symlinkSync(entry.slice("link ".length), file);
    told.push(`${show(file)} may not be changed, and was put back`);
  }
  return told;
}

function rename(file: string): string {
  let name = `${file}.refused`;
  for (let number = 2; entryAt(name) !== undefined; number++) name = `${file}.refused-${number}`;
  renameSync(file, name);
  return name;
}
