import { oneLine } from "./describe-call.ts";

/**
 * Text as code within a line or a table's cell. Everything that Markdown or HTML could take for its own becomes a
 * character reference, which is never structure (CommonMark, "Entity and numeric character references"), and what
 * cannot be seen, such as a change of the writing's direction, a replacement character.
 */
export function codeCell(text: string): string {
  const seen = oneLine(text, 300).replaceAll(/\p{Cf}|\p{Cs}/gu, "\ufffd");
  const inert = seen.replaceAll(/[!-+:-@[-`{-~]/g, (char) => `&#${char.charCodeAt(0)};`);
  return inert === "" ? "" : `<code>${inert}</code>`;
}

/**
 * Foreign Markdown as lines of a block quote that it cannot leave: every line is quoted. A zero-width space takes the
 * effect of raw HTML, of images (whose address would be asked for when somebody looks), and of footnotes (which would
 * be shown at the end of the page).
 */
export function quoted(text: string): string[] {
  const inert = text
    .toWellFormed()
    .replaceAll(/[^\P{Cc}\t\r\n]/gu, "")
    .replaceAll(/<(?=[a-z/!?])/gi, "<\u200b")
    .replaceAll("![", "!\u200b[")
    .replaceAll("[^", "[\u200b^");
  return inert
    .trimEnd()
    .split(/\r\n|\r|\n/)
    .map((line) => `> ${line}`);
}

/** Lines up to so many bytes of UTF-8. Only a quoted line may be cut within. */
export function fitLines(lines: readonly string[], bytes: number, note: string): string[] {
  const sizes = lines.map((line) => Buffer.byteLength(line) + 1);
  if (sizes.reduce((sum, size) => sum + size, 0) <= bytes) return [...lines];
  let room = bytes - Buffer.byteLength(`\n\n${note}\n`);
  const kept: string[] = [];
  for (const [index, line] of lines.entries()) {
    const size = sizes[index] ?? 0;
    if (size > room) {
      if (line.startsWith("> ") && room > 3) kept.push(cutBytes(line, room - 1));
      break;
    }
    kept.push(line);
    room -= size;
  }
  return room < 0 ? [] : [...kept, "", note];
}

/** Text cut to so many bytes of UTF-8, at a whole character. */
export function cutBytes(text: string, bytes: number): string {
  const whole = Buffer.from(text);
  if (whole.length <= bytes) return text;
  let end = Math.max(0, bytes);
  while (end > 0 && ((whole[end] ?? 0) & 0xc0) === 0x80) end--;
  return whole.subarray(0, end).toString();
}
