import { Buffer } from "node:buffer";
import {
  closeSync,
  existsSync,
  lstatSync,
  mkdirSync,
  openSync,
  readSync,
  statSync,
  writeFileSync,
} from "node:fs";
import path from "node:path";
import type { FileChange } from "@toycoder/core";
import { type FileState, filePatch } from "./file-patch.ts";
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
  /** Permission bits before the run's first change. */
  mode: number | undefined;
}

/** A patch as bytes, and the changed files that it can't hold since they lie outside of its folder. */
export interface Patch {
  bytes: Buffer;
  leftOut: string[];
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

  record({ path: target, before, after, mode }: FileChange): void {
    let kept: string | null = null;
    if (before !== null) {
      kept = path.join("before", String(++this.#count));
      mkdirSync(path.join(this.#folder, "before"), { recursive: true, mode: 0o700 });
      writeFileSync(path.join(this.#folder, kept), before, { mode: 0o600 });
    }
    if (!this.#origins.has(target.real))
      this.#origins.set(target.real, { display: target.display, before: kept, mode: mode?.before });
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

  /**
   * The net changes as one git patch, by path: `git apply` in a copy of `root` as it was gives `root` as it is now.
   * Files are named by their real paths, since git writes through no link.
   */
  patch(root: string): Patch {
    const parts: Buffer[] = [];
    const leftOut: string[] = [];
    const origins = [...this.#origins].map(([real, origin]) => ({
      real,
      origin,
      name: path.relative(root, real),
    }));
    origins.sort((a, b) => (a.name < b.name ? -1 : 1));
    for (const { real, origin, name } of origins) {
      if (name.split(path.sep)[0] === ".." || path.isAbsolute(name)) {
        leftOut.push(origin.display);
        continue;
      }
      const stats = lstatSync(real, { throwIfNoEntry: false });
      const now = stats?.isFile() === true ? stats : undefined;
      const old =
        origin.before === null
          ? null
          : state(path.join(this.#folder, origin.before), origin.mode ?? now?.mode);
      const after = now === undefined ? null : state(real, now.mode);
      try {
        const text = filePatch({ path: name.replaceAll(path.sep, "/"), before: old, after });
        if (text !== "") parts.push(Buffer.from(text, "latin1"));
      } finally {
        old?.source.close?.();
        after?.source.close?.();
      }
    }
    return { bytes: Buffer.concat(parts), leftOut };
  }
}

const state = (file: string, mode = 0): FileState => ({
  source: open(file),
  executable: (mode & 0o100) !== 0,
});

const kindOf = (existed: boolean, exists: boolean): ChangeSummary["kind"] =>
  !existed ? "created" : exists ? "modified" : "deleted";

function memory(bytes: Uint8Array | null): Source {
  const all = bytes === null ? Buffer.alloc(0) : Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length);
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
