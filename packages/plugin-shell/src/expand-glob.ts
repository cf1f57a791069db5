import { readdirSync } from "node:fs";
import path from "node:path";

/**
 * The paths that a shell would put in for a pattern, relative ones starting at `folder`; a set (`[a-z]`) counts as
 * any character, so there may be more, never fewer. Undefined where there are over `limit`.
 */
export function expandGlob(pattern: string, folder: string, limit = 256): string[] | undefined {
  const parts = pattern.split("/");
  let found = [pattern.startsWith("/") ? "/" : ""];
  for (const [index, part] of parts.entries()) {
    if (part === "") continue;
    const last = index === parts.length - 1;
    const next: string[] = [];
    for (const base of found) {
      if (!/[*?[]/.test(part)) next.push(join(base, part));
      else for (const name of matching(path.resolve(folder, base || "."), part)) next.push(join(base, name));
      if (next.length > (last ? limit : limit * 4)) return undefined;
    }
    found = next;
  }
  return found;
}

const join = (base: string, name: string): string =>
  base === "" || base === "/" ? base + name : `${base}/${name}`;

function matching(folder: string, pattern: string): string[] {
  const regex = toRegex(pattern);
  const dots = pattern.startsWith(".") || pattern.startsWith("[");
  return listFolder(folder).filter((name) => (dots || !name.startsWith(".")) && regex.test(name));
}

function listFolder(folder: string): string[] {
  try {
    return readdirSync(folder);
  } catch {
    return [];
  }
}

/** An unclosed `[` may be a letter or not, so it counts as a wildcard too. */
function toRegex(pattern: string): RegExp {
  const source = pattern
    .replaceAll(/\[[!^]?\]?[^\]]*\]|[*?[]|[\\^$.+()\]{}|]/g, (found) => {
      if (found === "*") return ".*";
      if (found === "?") return ".";
      return found.startsWith("[") ? (found.length > 1 ? "." : ".*") : `\\${found}`;
    })
    // Nested classes like [[:alpha:]] leave a bracket behind.
    .replaceAll(String.raw`.\]`, ".*");
  return new RegExp(`^${source}$`, "su");
}
