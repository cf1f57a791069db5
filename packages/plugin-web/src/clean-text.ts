import { wholeCharacters } from "@toycoder/core";

/** Escape sequences of terminals: CSI, OSC and other strings, and two-character ones. */
const ESCAPES =
  /\u001b(?:\[[0-?]*[ -/]*[@-~]|[\]PX^_][^\u0007\u001b]{0,4096}(?:\u0007|\u001b\\)|[ -/]*[0-Z\\^-~])/g;
/** Control characters, those that turn the direction of text, and the invisible ones of the tag block. */
const UNSEEN = /[\0-\b\u000b-\u001f\u007f-\u009f\u202a-\u202e\u2066-\u2069\u{E0000}-\u{E007F}]/gu;

/**
 * Text as it may be shown: no terminal sequences, no control characters but tab and line feed, nothing that reverses
 * text or hides some from people.
 */
export const cleanText = (text: string): string =>
  text.replaceAll(ESCAPES, "").replaceAll(/\r\n?/g, "\n").replaceAll(UNSEEN, "");

/** One line of clean text, of at most `limit` characters. */
export function cleanLine(text: string, limit: number): string {
  const line = cleanText(text).replaceAll(/\s+/g, " ").trim();
  return line.length > limit ? `${line.slice(0, wholeCharacters(line, limit - 1))}…` : line;
}
