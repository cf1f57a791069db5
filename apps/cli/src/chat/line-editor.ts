import { createInterface, type Interface, type Key } from "node:readline";
import type { Io } from "../io.ts";
import type { InputHistory } from "./input-history.ts";

/** What the person entered, or how they went. */
export type Entry =
  | { kind: "text"; text: string }
  /** Ctrl-C; `empty`: nothing had been typed. */
  | { kind: "interrupt"; empty: boolean }
  /** Ctrl-D, or the terminal is gone. */
  | { kind: "end" };

const PASTE_MODE = { on: "\u001b[?2004h", off: "\u001b[?2004l" };
const END: Entry = { kind: "end" };
/** What stands for the end of a line where an entry of several is brought back: Node's editor has one line. */
const LINE_END = "⏎";
/** The prompt of an entry's further lines. */
const MORE = "… ";

/**
 * Reads entries with Node's line editor: history, cursor keys, wide characters. A line that ends in a backslash is
 * followed by another, and pasted lines belong together until Enter is pressed.
 */
export class LineEditor {
  readonly #io: Io;
  readonly #history: InputHistory;
  /** Lines that came together with the last one of an entry. */
  #ahead: string[] = [];

  constructor(io: Io, history: InputHistory) {
    this.#io = io;
    this.#history = history;
  }

  /** Resolves to an entry, never empty. An abort of the process's signal ends it. */
  async read(prompt: string): Promise<Entry> {
    const { stdin, stdout, signal } = this.#io;
    if (signal.aborted) return END;
    stdout.write(PASTE_MODE.on);
    const editor = createInterface({
      input: stdin,
      output: stdout,
      terminal: true,
      prompt,
      history: this.#history.entries.map((entry) => entry.replaceAll("\n", LINE_END)),
      removeHistoryDuplicates: true,
    });
    const abort = (): void => editor.close();
    signal.addEventListener("abort", abort, { once: true });
    try {
      const entry = await this.#entryFrom(editor);
      if (entry.kind === "text") this.#history.add(entry.text);
      else this.#ahead = [];
      return entry;
    } finally {
      signal.removeEventListener("abort", abort);
      editor.close();
      stdout.write(PASTE_MODE.off);
    }
  }

  #entryFrom(editor: Interface): Promise<Entry> {
    const { stdin } = this.#io;
    const first = editor.getPrompt();
    let lines: string[] = [];
    let pasting = false;
    let done = false;
    const onKey = (_: string | undefined, { name }: Key): void => {
      if (name === "paste-start") pasting = true;
      if (name === "paste-end") pasting = false;
    };
    stdin.on("keypress", onKey);
    return new Promise<Entry>((resolve) => {
      const take = (line: string): void => {
        if (done) return void this.#ahead.push(line);
        const goesOn = !pasting && endsInBackslash(line);
        lines.push(goesOn ? line.slice(0, -1) : line);
        if (!goesOn && !pasting) {
          const text = lines.join("\n").replaceAll(LINE_END, "\n").trim();
          done = text !== "";
          if (done) return resolve({ kind: "text", text });
          lines = [];
        }
        editor.setPrompt(lines.length === 0 ? first : MORE);
        editor.prompt();
      };
      editor.on("line", take);
      editor.on("SIGINT", () => {
        resolve({ kind: "interrupt", empty: lines.length === 0 && editor.line === "" });
      });
      editor.on("close", () => resolve(END));
      for (const line of this.#ahead.splice(0)) take(line);
      if (!done) editor.prompt();
    }).finally(() => stdin.off("keypress", onKey));
  }
}

/** An even number of them is text. */
const endsInBackslash = (line: string): boolean => /(?:^|[^\\])(?:\\\\)*\\$/.test(line);
