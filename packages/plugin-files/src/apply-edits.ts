import { Buffer } from "node:buffer";
import { type ResolvedPath, ToolError } from "@toycoder/core";
import {
  decodeUnits,
  encodeUnits,
  type Encoding,
  firstInvalidByte,
  fromUnits,
  toUnits,
  unitWidth,
} from "./encoding.ts";
import { checkLegacyMatches, checkLegacyStrings } from "./legacy-edit.ts";
import { nearestPlace } from "./nearest-place.ts";
import { composeRegions, type Region } from "./regions.ts";
import { findMatches, type Match, splice } from "./splice.ts";
import { checkText } from "./write-target.ts";

/** One replacement: every place of `old_string` where `replace_all`, else its only one. */
export interface Edit {
  old_string: string;
  new_string: string;
  replace_all?: boolean | undefined;
}

/** The outcome of edits: bytes, and texts of code units with what changed between them. */
export interface Edited {
  bytes: Buffer;
  before: string;
  after: string;
  regions: Region[];
  encoding: Encoding;
  /** How many places were replaced. */
  count: number;
}

const MAX_LISTED = 20;

/**
 * Applies edits one after the other, all or none; bytes outside of the matches stay as they are. Throws a ToolError
 * `no_match`, `several_matches`, `same_strings`, `empty_string` or `unsafe_encoding` that names the edit.
 */
export function applyEdits(
  bytes: Buffer,
  sniffed: "utf-8" | "utf-16le" | "utf-16be",
  edits: readonly Edit[],
  file: ResolvedPath,
): Edited {
  const invalidAt = sniffed === "utf-8" ? firstInvalidByte(bytes) : -1;
  const encoding = invalidAt === -1 ? sniffed : "legacy";
  const fault = { at: invalidAt, byte: bytes[invalidAt] ?? 0 };
  const before = toUnits(bytes, encoding);
  let after = before;
  let regions: Region[] = [];
  let count = 0;
  for (const [index, edit] of edits.entries()) {
    const which = edits.length === 1 ? "" : `edit ${index + 1} of ${edits.length}: `;
    checkEdit(edit, which);
    if (invalidAt !== -1) checkLegacyStrings([edit.old_string, edit.new_string], fault);
    const wanted = encodeUnits(edit.old_string, encoding);
    const inserted = encodeUnits(edit.new_string, encoding);
    const matches = placesOf(after, wanted, edit, encoding, file, which);
    if (invalidAt !== -1) checkLegacyMatches(after, matches, fault);
    const spliced = splice(after, matches, wanted, inserted);
    regions = index === 0 ? spliced.regions : composeRegions(regions, spliced.regions);
    after = spliced.text;
    count += matches.length;
  }
  const odd = bytes.subarray(before.length * unitWidth(encoding));
  const whole = fromUnits(after, encoding);
  return {
    bytes: odd.length === 0 ? whole : Buffer.concat([whole, odd]),
    before,
    after,
    regions,
    encoding,
    count,
  };
}

function checkEdit({ old_string, new_string }: Edit, which: string): void {
  if (old_string === "") {
    throw new ToolError("empty_string", `${which}old_string is empty`, {
      hint: "give the text to replace; to write a whole file use write_file",
    });
  }
  if (old_string === new_string) {
    throw new ToolError("same_strings", `${which}old_string and new_string are the same`);
  }
  for (const [name, text] of Object.entries({ old_string, new_string })) checkText(text, which + name);
}

function placesOf(
  text: string,
  wanted: string,
  { old_string, replace_all = false }: Edit,
  encoding: Encoding,
  { display }: ResolvedPath,
  which: string,
): Match[] {
  const matches = findMatches(text, wanted, !replace_all);
  if (matches.length === 0) {
    const why = nearestPlace(decodeUnits(text, encoding), old_string);
    throw new ToolError(
      "no_match",
      `${which}old_string is not in ${display}${why === undefined ? "" : `; ${why}`}`,
      {
        hint: "copy the text exactly as read_file shows it, without the line numbers",
      },
    );
  }
  if (matches.length > 1 && !replace_all) {
    const lines = linesOf(text, matches.slice(0, MAX_LISTED));
    const more = matches.length > MAX_LISTED ? ", …" : "";
    const places = `${matches.length} places in ${display}: lines ${lines.join(", ")}${more}`;
    throw new ToolError("several_matches", `${which}old_string is at ${places}`, {
      hint: "add lines around it until it is unique, or set replace_all",
    });
  }
  return matches;
}

/** The line numbers of ascending places. */
export function linesOf(text: string, matches: readonly { start: number }[]): number[] {
  let line = 1;
  let from = 0;
  return matches.map(({ start }) => {
    for (let at = text.indexOf("\n", from); at !== -1 && at < start; at = text.indexOf("\n", at + 1)) line++;
    from = start;
    return line;
  });
}
