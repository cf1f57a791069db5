import { chmodSync, mkdirSync, readFileSync, renameSync, writeFileSync } from "node:fs";
import path from "node:path";

/** Entries that are kept. */
const MOST = 500;

/**
 * What was entered in this chat and the ones before, the newest first. It is kept in the state folder, readable by
 * its owner alone, one JSON string a line. A file that can't be read or written costs the history and nothing else.
 */
export class InputHistory {
  readonly #file: string;
  #entries: string[];

  constructor(state: string) {
    this.#file = path.join(state, "chat-history.jsonl");
    this.#entries = this.#read();
  }

  get entries(): readonly string[] {
    return this.#entries;
  }

  add(entry: string): void {
    // Another chat may have added some since.
    this.#entries = [entry, ...this.#read().filter((one) => one !== entry)].slice(0, MOST);
    const lines = this.#entries.toReversed().map((one) => `${JSON.stringify(one)}\n`);
    const temporary = `${this.#file}.${process.pid}.tmp`;
    try {
      mkdirSync(path.dirname(this.#file), { recursive: true, mode: 0o700 });
      writeFileSync(temporary, lines.join(""), { mode: 0o600 });
      chmodSync(temporary, 0o600);
      renameSync(temporary, this.#file);
    } catch {
      // The entry is there for this chat.
    }
  }

  #read(): string[] {
    try {
      return readFileSync(this.#file, "utf8").split("\n").flatMap(entryOf).reverse();
    } catch {
      return this.#entries ?? [];
    }
  }
}

function entryOf(line: string): string[] {
  try {
    const entry: unknown = JSON.parse(line);
    return typeof entry === "string" ? [entry] : [];
  } catch {
    return [];
  }
}
