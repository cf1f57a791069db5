import { closeSync, existsSync, mkdirSync, openSync, readSync, statSync, writeFileSync } from "node:fs";
import path from "node:path";
import type { FileChange } from "@toycoder/core";
import { countLines, type Source } from "./line-count.ts";
import type { ChangeSummary } from "./result.ts";

/** One recorded change, as its event says it. */
export interface LoggedChange extends ChangeSummary {
  before: string | null;
}

interface Origin {
  display: string;
  /** File of the session folder with the bytes before the run's first change; null where there was no file. */
  before: string | null;
}

/**
 * Keeps what files held before a run changed them: each change's bytes go to `before/N` of the session folder,
 * so that they can be put back and so that the net change can be told at the end.
 */
export class ChangeLog {
  readonly #folder: string;
  readonly #origins = new Map<string, Origin>();
  #count = 0;
  #listener: (change: LoggedChange) => void = () => {};

  constructor(sessionFolder: string) {
    this.#folder = sessionFolder;
  }

  onChange(listener: (change: LoggedChange) => void): void {
    this.#listener = listener;
  }

  record({ path: target, before, after }: FileChange): void {
    let kept: string | null = null;
    if (before !== null) {
      kept = path.join("before", String(++this.#count));
      mkdirSync(path.join(this.#folder, "before"), { recursive: true, mode: 0o700 });
      writeFileSync(path.join(this.#folder, kept), before, { mode: 0o600 });
    }
    if (!this.#origins.has(target.real))
      this.#origins.set(target.real, { display: target.display, before: kept });
    const counts = countLines(memory(before), memory(after));
    this.#listener({
      path: target.display,
      kind: kindOf(before !== null, after !== null),
      ...counts,
      before: kept,
    });
  }

  /** The net change of every file, by path: first state against what is on disk now. Unchanged ones are left out. */
  summary(): ChangeSummary[] {
    const changes: ChangeSummary[] = [];
    for (const [real, { display, before }] of this.#origins) {
      const existed = before !== null;
      const exists = existsSync(real);
      if (!existed && !exists) continue;
      const old = open(before === null ? null : path.join(this.#folder, before));
      const now = open(exists ? real : null);
      try {
        const counts = countLines(old, now);
        if (existed && exists && counts.additions === 0 && counts.deletions === 0) continue;
        changes.push({ path: display, kind: kindOf(existed, exists), ...counts });
      } finally {
        old.close?.();
        now.close?.();
      }
    }
    return changes.sort((a, b) => (a.path < b.path ? -1 : 1));
  }
}

const kindOf = (existed: boolean, exists: boolean): ChangeSummary["kind"] =>
  !existed ? "created" : exists ? "modified" : "deleted";

function memory(bytes: Uint8Array | null): Source {
  const all = bytes ?? new Uint8Array();
  return { size: all.length, read: (start, length) => all.subarray(start, start + length) };
}

function open(file: string | null): Source {
  if (file === null) return memory(null);
  const descriptor = openSync(file, "r");
  return {
    size: statSync(file).size,
    read(start, length) {
      const bytes = Buffer.alloc(length);
      return bytes.subarray(0, readSync(descriptor, bytes, 0, length, start));
    },
    close: () => closeSync(descriptor),
  };
}
