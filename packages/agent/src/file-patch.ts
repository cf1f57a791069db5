import { binaryPatch, blobName, NO_BLOB } from "./binary-patch.ts";
import type { Source } from "./line-count.ts";
import { patchHunks } from "./patch-hunks.ts";

/** One side of a file's change. */
export interface FileState {
  source: Source;
  executable: boolean;
}

export interface ChangedFile {
  /** Relative to the folder that the patch is applied in, with `/`. */
  path: string;
  /** Null: there is no file on that side. */
  before: FileState | null;
  after: FileState | null;
}

/** Bytes in which git looks for a NUL to tell a binary file. */
const LOOKED_AT = 8000;
const NOTHING: Source = { size: 0, read: () => Buffer.alloc(0) };

/** A file's part of a git patch, as bytes in latin1; empty where nothing has changed. */
export function filePatch({ path, before, after }: ChangedFile): string {
  const [old, now] = [before?.source ?? NOTHING, after?.source ?? NOTHING];
  const hunks = isBinary(old) || isBinary(now) ? undefined : patchHunks(old, now);
  const asText = hunks !== undefined && hunks.every((hunk) => !hunk.includes("\0"));
  const same = hunks?.length === 0 || (hunks === undefined && blobName(old) === blobName(now));
  const modes = modeLines(before, after);
  if (same && modes === "") return "";
  const [a, b] = [quoteName(`a/${path}`), quoteName(`b/${path}`)];
  const head = `diff --git ${a} ${b}\n${modes}`;
  if (same) return head;
  if (asText) {
    // As git does: a name with a space ends in a tab, so that nothing behind it is taken for a part of it.
    const end = path.includes(" ") ? "\t\n" : "\n";
    const from = before === null ? "/dev/null\n" : a + end;
    const to = after === null ? "/dev/null\n" : b + end;
    return `${head}--- ${from}+++ ${to}${hunks.join("")}`;
  }
  const names = [before, after].map((state) => (state === null ? NO_BLOB : blobName(state.source)));
  return `${head}index ${names.join("..")}\n${binaryPatch(old, now)}`;
}

const isBinary = (source: Source): boolean => source.read(0, Math.min(LOOKED_AT, source.size)).includes(0);

function modeLines(before: FileState | null, after: FileState | null): string {
  if (before === null) return after === null ? "" : `new file mode ${modeOf(after)}\n`;
  if (after === null) return `deleted file mode ${modeOf(before)}\n`;
  return before.executable === after.executable
    ? ""
    : `old mode ${modeOf(before)}\nnew mode ${modeOf(after)}\n`;
}

const modeOf = ({ executable }: FileState): string => (executable ? "100755" : "100644");

const ESCAPES: Readonly<Record<string, string>> = {
  "\u0007": "a",
  "\b": "b",
  "\t": "t",
  "\n": "n",
  "\v": "v",
  "\f": "f",
  "\r": "r",
  '"': '"',
  "\\": "\\",
};

/** As git quotes it: in double quotes where it has quotes, backslashes, control characters or anything but ASCII. */
function quoteName(name: string): string {
  if (/^[\x20\x21\x23-\x5b\x5d-\x7e]*$/.test(name)) return name;
  const quoted = Array.from(Buffer.from(name, "utf8"), (byte) => {
    const character = String.fromCharCode(byte);
    const escape = ESCAPES[character];
    if (escape !== undefined) return `\\${escape}`;
    return byte < 0x20 || byte >= 0x7f ? `\\${byte.toString(8).padStart(3, "0")}` : character;
  });
  return `"${quoted.join("")}"`;
}
