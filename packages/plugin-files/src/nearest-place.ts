import { FOLDS, foldLine, foldText, splitAnyEnd } from "./text-folds.ts";

/** Characters of a file in which a place is looked for, and of a line that is shown. */
const MAX_SEARCHED = 4_000_000;
const MAX_SHOWN = 200;
const LIKE_ENOUGH = 0.6;

/**
 * Says in words why `wanted` is not in `text`: the nearest place with its line number, and what differs there.
 * Lines are counted by LF, as read_file counts them. Undefined where nothing is near.
 */
export function nearestPlace(text: string, wanted: string): string | undefined {
  const searched = text.slice(0, MAX_SEARCHED);
  return numbered(searched, wanted) ?? folded(searched, wanted) ?? similar(searched, wanted);
}

/** The text was copied with the line numbers of read_file. */
function numbered(text: string, wanted: string): string | undefined {
  const lines = wanted.split("\n");
  if (!lines.every((line, index) => /^\d+: ?/.test(line) || (line === "" && index === lines.length - 1)))
    return undefined;
  const bare = lines.map((line) => line.replace(/^\d+: /, "")).join("\n");
  if (bare === "" || !text.replaceAll("\r\n", "\n").includes(bare)) return undefined;
  return "it is there without the line numbers: leave out the `n: ` that read_file puts before each line";
}

/** The same text but for things such as white space, quotes or line ends. */
function folded(text: string, wanted: string): string | undefined {
  const pattern = foldText(wanted).replaceAll(/^\n+|\n+$/g, "");
  if (pattern.length < 2) return undefined;
  const at = foldText(text).indexOf(pattern);
  if (at === -1) return undefined;
  const first = foldText(text).slice(0, at).split("\n").length - 1;
  const skipped = /^\n*/.exec(foldText(wanted))?.[0].length ?? 0;
  const there = linesWithEnds(text).slice(first, first + pattern.split("\n").length);
  const yours = wanted.split(/(?<=\n)/).slice(skipped);
  const place = there.join("");
  const differing = FOLDS.filter(
    (fold) =>
      !foldText(place, [fold]).includes(foldText(yours.join(""), [fold]).replaceAll(/^\n+|\n+$/g, "")),
  );
  const names = differing.map(({ name }) => name);
  if (names.length === 0) names.push(skipped > 0 || wanted.endsWith("\n\n") ? "blank lines" : "line ends");
  return `the nearest place is line ${lineNumber(text, first)}; it differs in ${names.join(", ")}${compare(text, first, there, yours)}`;
}

/** The place where most lines are the same, else the one line that is most like one of the wanted. */
function similar(text: string, wanted: string): string | undefined {
  const lines = splitAnyEnd(text);
  const yours = splitAnyEnd(wanted);
  const first = byEqualLines(lines, yours) ?? byLikeness(lines, yours);
  if (first === undefined) return undefined;
  const there = linesWithEnds(text).slice(Math.max(0, first), first + yours.length);
  const offset = Math.max(0, -first);
  const mine = wanted.split(/(?<=\n)/).slice(offset);
  return `the nearest place is line ${lineNumber(text, Math.max(0, first))}${compare(text, Math.max(0, first), there, mine)}`;
}

/** Lets every line that occurs in both texts vote for where the whole would begin. */
function byEqualLines(lines: readonly string[], yours: readonly string[]): number | undefined {
  const wanted = new Map<string, number[]>();
  for (const [index, line] of yours.entries()) {
    const key = foldLine(line);
    if (key.length > 3) wanted.set(key, [...(wanted.get(key) ?? []), index]);
  }
  const votes = new Map<number, number>();
  for (const [at, line] of lines.entries()) {
    for (const index of wanted.get(foldLine(line)) ?? [])
      votes.set(at - index, (votes.get(at - index) ?? 0) + 1);
  }
  const [best] = [...votes].sort((a, b) => b[1] - a[1] || a[0] - b[0]);
  return best?.[0];
}

function byLikeness(lines: readonly string[], yours: readonly string[]): number | undefined {
  const longest = yours.reduce(
    (best, line, index) => (line.trim().length > (yours[best]?.trim().length ?? 0) ? index : best),
    0,
  );
  const pairs = pairsOf(foldLine(yours[longest] ?? ""));
  let best = { score: LIKE_ENOUGH, at: -1 };
  for (const [at, line] of lines.entries()) {
    const score = likeness(pairs, pairsOf(foldLine(line.slice(0, 500))));
    if (score > best.score) best = { score, at };
  }
  return best.at === -1 ? undefined : best.at - longest;
}

function pairsOf(line: string): Set<string> {
  const pairs = new Set<string>();
  for (let at = 0; at < line.length - 1; at++) pairs.add(line.slice(at, at + 2));
  return pairs;
}

/** Dice's coefficient: 1 for the same pairs, 0 for none in common. */
function likeness(a: ReadonlySet<string>, b: ReadonlySet<string>): number {
  if (a.size === 0 || b.size === 0) return 0;
  let common = 0;
  for (const pair of a) if (b.has(pair)) common++;
  return (2 * common) / (a.size + b.size);
}

/** The first line that differs, from both sides, with control characters spelled out. */
function compare(text: string, first: number, there: readonly string[], yours: readonly string[]): string {
  for (const [index, mine] of yours.entries()) {
    const theirs = there[index] ?? "";
    const last = index === yours.length - 1 && !mine.endsWith("\n");
    if (theirs === mine || (last && theirs.replace(/[\r\n]+$/, "") === mine)) continue;
    return `\nfile, line ${lineNumber(text, first + index)}: ${quote(theirs)}\nold_string:${" ".repeat(String(first + index).length)}  ${quote(mine)}${firstDifference(theirs, mine)}`;
  }
  return "";
}

const quote = (line: string): string =>
  JSON.stringify(line.length > MAX_SHOWN ? `${line.slice(0, MAX_SHOWN)}…` : line);

/** Names the first characters that differ, where they are not plain to see. */
function firstDifference(theirs: string, mine: string): string {
  const b = Array.from(mine.slice(0, MAX_SHOWN).trimStart());
  const a = Array.from(startingAs(theirs, mine));
  const at = a.findIndex((character, index) => character !== b[index]);
  const [there, here] = [a[at], b[at]];
  if (there === undefined || here === undefined || (isPlain(there) && isPlain(here))) return "";
  return `\nafter ${JSON.stringify(b.slice(Math.max(0, at - 20), at).join(""))} the file has ${codePoint(there)}, old_string ${codePoint(here)}`;
}

/** The end of `theirs` that begins like `mine`, which may begin in the middle of a line. */
function startingAs(theirs: string, mine: string): string {
  const line = theirs.slice(0, 4 * MAX_SHOWN);
  const wanted = foldLine(mine.replace(/[\r\n]+$/, ""));
  for (let at = Math.min(line.length, MAX_SHOWN); at > 0; at--) {
    if (foldLine(line.slice(at)).startsWith(wanted) && !/\s/.test(line.charAt(at))) return line.slice(at);
  }
  return line.trimStart();
}

const isPlain = (character: string): boolean => /^[\x20-\x7e]$/.test(character);
const codePoint = (character: string): string =>
  `${character.trim() === "" ? "" : `${character} `}U+${(character.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, "0")}`;

/** Lines as {@link splitAnyEnd} parts them, each with its end. */
const linesWithEnds = (text: string): string[] => text.split(/(?<=\r\n|\n|\r(?!\n))/);

/** The number of the line at `index` among lines of any end, counted by LF alone. */
function lineNumber(text: string, index: number): number {
  return linesWithEnds(text)
    .slice(0, index)
    .reduce((count, line) => count + (line.endsWith("\n") ? 1 : 0), 1);
}
