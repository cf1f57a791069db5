/** Escape sequences of terminals: CSI, OSC and other strings, and two-character ones. */
const ESCAPES = /\u001b(?:\[[0-?]*[ -/]*[@-~]|[\]PX^_][^\u0007\u001b]*(?:\u0007|\u001b\\)|[ -/]*[0-Z\\^-~])/g;
/** A sequence whose end has not arrived yet. */
const OPEN_ESCAPE = /\u001b(?:\[[0-?]*[ -/]*|[\]PX^_][^\u0007\u001b]*\u001b?|[ -/]*)$/;
const CONTROLS = /[\0-\u0007\u000b-\u000c\u000e-\u001f\u007f-\u009f]/g;
const SPECIAL = /[\0-\b\u000b-\u001f\u007f-\u009f]/;

/** An unfinished line longer than this is passed on as it is. */
const MAX_PENDING = 65_536;

/**
 * Makes plain text of what was meant for a terminal, piece by piece: without escape sequences and control
 * characters, and of a line that was written over (carriage return, backspace) only what was left standing.
 */
export class PlainText {
  /** The unfinished line: it may still be written over. */
  #pending = "";

  push(text: string): string {
    const whole = this.#pending + text;
    let keepFrom = whole.lastIndexOf("\n") + 1;
    if (whole.length - keepFrom > MAX_PENDING) {
      const open = OPEN_ESCAPE.exec(whole.slice(-256));
      keepFrom = open === null ? whole.length : whole.length - open[0].length;
    }
    this.#pending = collapse(whole.slice(keepFrom));
    return clean(whole.slice(0, keepFrom));
  }

  /** The rest, at the end of the output. */
  end(): string {
    const rest = clean(this.#pending.replace(OPEN_ESCAPE, ""));
    this.#pending = "";
    return rest;
  }
}

/** Of an unfinished line, what a later carriage return could still bring back is not needed. */
function collapse(line: string): string {
  const from = line.lastIndexOf("\r", line.length - 2);
  return from > 0 && line.slice(from + 1).trim() !== "" && !line.slice(from).includes("\u001b")
    ? line.slice(from)
    : line;
}

function clean(text: string): string {
  if (!SPECIAL.test(text)) return text;
  return text
    .replaceAll(ESCAPES, "")
    .split("\n")
    .map((line) => writeOver(line.replaceAll(CONTROLS, "")))
    .join("\n");
}

/** The last state of a line that was written over. */
function writeOver(line: string): string {
  const last = line.includes("\r") ? (line.split("\r").findLast((state) => state !== "") ?? "") : line;
  if (!last.includes("\b")) return last;
  const shown: string[] = [];
  for (const character of last) {
    if (character === "\b") shown.pop();
    else shown.push(character);
  }
  return shown.join("");
}
