import truncatedWidth from "fast-string-truncated-width";
import { wrapAnsi } from "fast-wrap-ansi";

/** Columns that a text takes on a terminal: wide characters two, combining ones none, emoji sequences as one. */
export const widthOf = (text: string): number => truncatedWidth(text).width;

const RESET = "\u001b[0m";

/** The text within so many columns; what doesn't fit ends in an ellipsis. */
export function fitLine(text: string, columns: number): string {
  const { index, ellipsed, truncated } = truncatedWidth(text, { limit: columns, ellipsis: "…" });
  if (!truncated) return text;
  // A style that was begun would go on for ever.
  return `${text.slice(0, index)}${ellipsed ? "…" : ""}${text.includes("\u001b") ? RESET : ""}`;
}

/** The end of the text, within so many columns. */
export function fitEnd(text: string, columns: number): string {
  if (widthOf(text) <= columns) return text;
  const characters = [...text].slice(-columns);
  while (widthOf(characters.join("")) >= columns) characters.shift();
  return `…${characters.join("")}`;
}

/** The space at which a line was broken, perhaps after a style that begins again. */
const AT_BREAK = /\n((?:\u001b\[[\d;]*m)*) /g;

/** Lines of at most so many columns, each begun with `indent`; words are kept whole where they can be. */
export function wrapLines(text: string, columns: number, indent = ""): string {
  const room = Math.max(8, columns - widthOf(indent));
  const lines = text.replaceAll("\t", "    ").split("\n");
  return lines
    .map((line) => wrapAnsi(line, room, { hard: true, trim: false }).replaceAll(AT_BREAK, "\n$1"))
    .join("\n")
    .replaceAll(/ +$/gm, "")
    .replaceAll(/^/gm, indent);
}
