import type { ShellState, Value } from "./shell-state.ts";
import type { Walk } from "./walk.ts";

/** What a variable is known to hold at a place of the script. */
export function lookUp(name: string, state: ShellState, walk: Walk): Value | undefined {
  const tracked = state.variables.get(name);
  // A call of a function may have set it.
  if (tracked !== undefined) return walk.definesFunction ? undefined : tracked;
  const { folders } = state;
  if (name === "PWD" && folders?.length === 1) return textValue(folders[0]);
  if (name === "HOME") return textValue(walk.environment.HOME);
  return undefined;
}

const textValue = (text: string | undefined): Value | undefined =>
  text === undefined || !text.startsWith("/") ? undefined : { text, glob: false };
