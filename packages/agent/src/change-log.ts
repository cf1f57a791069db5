import { Buffer } from "node:buffer";
import { createHash } from "node:crypto";
import {
  closeSync,
  existsSync,
  lstatSync,
  mkdirSync,
  openSync,
  readdirSync,
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
  /** The file's real path. */
  file: string;
  /** The file of the session folder that holds the bytes before; null where there was no file. */
  before: string | null;
  /** SHA-256 of the bytes after, in hex; null where the file is gone. */
  after: string | null;
  /** Permission bits before and after, where the file existed and the tool told them. */
  mode?: { before?: number; after?: number };
  /** Real paths of the folders that were made for it, outermost first. */
  folders?: readonly string[];
  /** What put the file back, or did the change again; absent for a tool's change. */
  by?: "undo" | "redo";
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
  #count: number | undefined;
  #listener: (change: LoggedChange) => void = () => {};

  constructor(sessionFolder: string) {
    this.#folder = sessionFolder;
  }

  onChange(listener: (change: LoggedChange) => void): void {
    this.#listener = listener;
  }

  record(change: FileChange): void {
    const { path: target, before, mode } = change;
    const kept = before === null ? null : this.keep(before);
    if (!this.#origins.has(target.real))
      this.#origins.set(target.real, { display: target.display, before: kept, mode: mode?.before });
    this.#listener(describeChange(change, kept));
  }

  /** Keeps bytes as the next before-image; gives its name in the session folder. */
  keep(bytes: Uint8Array): string {
    const folder = path.join(this.#folder, "before");
    mkdirSync(folder, { recursive: true, mode: 0o700 });
    // A session that goes on has images from before.
    this.#count ??= Math.max(0, ...readdirSync(folder).map(Number).filter(Number.isInteger));
    const name = path.join("before", String(++this.#count));
    writeFileSync(path.join(this.#folder, name), bytes, { mode: 0o600, flag: "wx" });
    return name;
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

/** A change as its event says it; `kept` is the name of the before-image. */
export function describeChange(change: FileChange, kept: string | null): LoggedChange {
  const { path: target, before, after, mode, folders = [] } = change;
  return {
    path: target.display,
    kind: kindOf(before !== null, after !== null),
    ...countLines(memory(before), memory(after)),
    file: target.real,
    before: kept,
    after: after === null ? null : digestOf(after),
    ...(mode && { mode }),
    ...(folders.length > 0 && { folders }),
  };
}

/** SHA-256, in hex. */
export const digestOf = (bytes: Uint8Array): string => createHash("sha256").update(bytes).digest("hex");

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
      const bytes = Buffer.allocUnsafe(length);
      return bytes.subarray(0, readSync(descriptor, bytes, 0, length, start));
    },
    close: () => closeSync(descriptor),
  };
}
