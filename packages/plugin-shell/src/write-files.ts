import { physicalPath } from "./physical-path.ts";
import type { ShellState } from "./shell-state.ts";
import type { ShellWord } from "./shell-word.ts";
import { expandTilde } from "./tilde.ts";
import type { Walk } from "./walk.ts";

/** Files that a command surely writes. */
export function writeFiles(
  writes: readonly { word: ShellWord; recursive: boolean }[],
  { folders }: ShellState,
  walk: Walk,
): void {
  for (const { word, recursive } of writes) {
    const text = word.tilde ? expandTilde(word.value, walk) : word.value;
    const known = word.unknown !== true && !word.glob && text !== undefined && text !== "";
    if (!known || (folders === undefined && !text.startsWith("/"))) {
      walk.addOpaque(word.value, `what it writes is only known when it runs`);
      continue;
    }
    for (const folder of text.startsWith("/") ? ["/"] : (folders ?? [])) {
      walk.add({ kind: "write", path: physicalPath(text, folder), ...(recursive ? { recursive } : {}) });
    }
  }
}
