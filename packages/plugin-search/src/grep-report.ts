import type { FoundMatches } from "./match-collector.ts";
import type { RipgrepEnd } from "./run-ripgrep.ts";
import { count, searchNotes, showPath } from "./search-notes.ts";
import type { SearchScope } from "./search-scope.ts";
import { countUnopenable } from "./unopenable.ts";

export interface Found extends FoundMatches {
  /** Files that permission rules kept out of the search. */
  hidden: number;
  end: RipgrepEnd;
}

/** The result of a search as the model reads it. */
export function grepReport(
  mode: "content" | "files" | "count",
  scope: SearchScope,
  found: Found,
  timeoutMs: number,
): string {
  const paths = found.files.map(({ path }) => path);
  const notes = searchNotes({ ...found, timeoutMs, unopenable: countUnopenable(paths, scope.cwd) });
  if (found.matches === 0) return [`[no matches in ${scope.display}]`, ...notes].join("\n");
  const lines = mode === "content" ? contentLines(scope, found) : fileLines(mode, scope, found);
  return [...lines, ...notes].join("\n");
}

function contentLines({ prefix }: SearchScope, found: Found): string[] {
  const lines: string[] = [];
  let kept = 0;
  for (const { path, lines: ofFile } of found.files) {
    const shown = showPath(prefix + path);
    const hasContext = ofFile.some(({ isMatch }) => !isMatch);
    let before = Number.POSITIVE_INFINITY;
    for (const { number, isMatch, text } of ofFile) {
      if (hasContext && number > before + 1) lines.push("--");
      lines.push(isMatch ? `${shown}:${number}: ${text}` : `${shown}-${number}- ${text}`);
      before = number;
      if (isMatch) kept++;
    }
  }
  const rest = found.matches - kept;
  return [`[${total(found)}${rest > 0 ? `; the first ${kept}, ${rest} more` : ""}]`, ...lines];
}

function fileLines(mode: "files" | "count", { prefix }: SearchScope, found: Found): string[] {
  const lines = found.files.map(({ path, matches }) => {
    const shown = showPath(prefix + path);
    return mode === "files" ? shown : `${shown}: ${matches}`;
  });
  const rest = found.fileCount - found.files.length;
  return [`[${total(found)}${rest > 0 ? `; the first ${lines.length} files, ${rest} more` : ""}]`, ...lines];
}

const total = ({ matches, fileCount }: Found): string =>
  `${count(matches, "matching line")} in ${count(fileCount, "file")}`;
