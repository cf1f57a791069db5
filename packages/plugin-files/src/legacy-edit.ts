import { ToolError } from "@toycoder/core";
import type { Match } from "./splice.ts";

const ASCII = /^[\0-\x7f]*$/;

/** The first byte of a file that is not UTF-8. */
export interface Fault {
  at: number;
  byte: number;
}

const problem = ({ at, byte }: Fault): string =>
  `the file is not UTF-8 (byte ${at} is 0x${byte.toString(16)})`;

/** Throws a ToolError `unsafe_encoding` unless both strings of an edit mean the same in every legacy encoding. */
export function checkLegacyStrings(strings: readonly string[], fault: Fault): void {
  if (strings.every((one) => ASCII.test(one))) return;
  throw new ToolError("unsafe_encoding", `${problem(fault)}, and the edit is not plain ASCII`, {
    hint: "use ASCII alone in old_string and new_string, or convert the file first",
  });
}

/** Throws a ToolError `unsafe_encoding` where a match may begin with the second half of a character. */
export function checkLegacyMatches(text: string, matches: readonly Match[], fault: Fault): void {
  const split = matches.find(({ start }) => maySplitCharacter(text, start));
  if (split === undefined) return;
  const place = `the match may begin inside a character, at byte ${split.start}`;
  throw new ToolError("unsafe_encoding", `${problem(fault)}, and ${place}`, {
    hint: "let old_string begin at a space or at the start of a line",
  });
}

/** In double-byte encodings (GBK, Big5, Shift JIS) a letter or digit may be the second byte of a character. */
function maySplitCharacter(text: string, start: number): boolean {
  const first = text.charCodeAt(start);
  if (first < 0x30 || (first > 0x39 && first < 0x40)) return false;
  let run = 0;
  while (start - run > 0 && text.charCodeAt(start - 1 - run) >= 0x80) run++;
  return run % 2 === 1;
}
