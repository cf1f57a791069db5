import { readdir } from "node:fs/promises";
import path from "node:path";
import { nearest, type ResolvedPath } from "@toycoder/core";

/** The nearest names in the folder, or how much of the path exists. */
export async function nearHint(
  file: ResolvedPath,
  mayRead: (path: string) => boolean,
): Promise<{ hint?: string }> {
  const folder = path.dirname(file.real);
  const wanted = path.basename(file.real);
  let names: string[];
  try {
    names = await readdir(folder);
  } catch {
    const shown = path.posix.dirname(file.display);
    return shown === "." || shown === "/" ? {} : { hint: `there is no folder ${shown} either` };
  }
  const shown = (name: string): string => path.posix.join(path.posix.dirname(file.display), name);
  const near = [...sameLetters(wanted, names), ...nearest(wanted, names.slice(0, 5000))]
    .filter((name, index, all) => all.indexOf(name) === index && mayRead(path.join(folder, name)))
    .map((name) =>
      wanted.normalize() === name.normalize() ? `${shown(name)} (in other Unicode form)` : shown(name),
    );
  return near.length === 0 ? {} : { hint: `did you mean ${near.slice(0, 3).join(" or ")}?` };
}

/** Names that differ in case or in Unicode normalisation alone. */
function sameLetters(wanted: string, names: readonly string[]): string[] {
  const fold = (name: string): string => name.normalize("NFKC").toLowerCase();
  return names.filter((name) => fold(name) === fold(wanted));
}
