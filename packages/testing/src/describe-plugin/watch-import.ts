import { changedState, processState } from "./process-state.ts";
import { watchEffects, type WatchedEffect } from "./watch-effects.ts";

/** What a module did while it was imported. What it printed is for whoever started the process to see. */
export interface ImportReport {
  /** The message of what it threw. */
  failed?: string;
  effects: WatchedEffect[];
  /** Globals, prototypes, listeners, variables that it changed. */
  changed: string[];
  /** What it left open: `Timeout`, `TCPServerWrap`. */
  handles: string[];
}

/** Imports a module and watches it. For a process that exists for this alone: see `watchEffects`. */
export async function watchImport(importModule: () => Promise<unknown>): Promise<ImportReport> {
  // They are opened when they are first read.
  void [process.stdin, process.stdout, process.stderr];
  const seen = watchEffects();
  const before = processState();
  const handles = openHandles();
  let failed: string | undefined;
  try {
    await importModule();
  } catch (error) {
    failed = error instanceof Error ? error.message : String(error);
  }
  // What the import began goes on for a turn.
  await new Promise((resolve) => setImmediate(resolve));
  const changed = changedState(before, processState());
  return {
    ...(failed !== undefined && { failed }),
    effects: [...seen],
    changed,
    handles: newHandles(handles, seen),
  };
}

/** What keeps the process alive now. */
export const openHandles = (): string[] => process.getActiveResourcesInfo();

/** What keeps the process alive beyond `before`, but for connections that were refused and still end. */
export function newHandles(before: readonly string[], refused: readonly WatchedEffect[]): string[] {
  const left = [...before];
  const isEnding = (name: string): boolean =>
    /^TCP(?:Socket|Connect)/.test(name) && refused.some(({ kind }) => kind === "network");
  return openHandles().filter((name) => {
    const at = left.indexOf(name);
    if (at !== -1) left.splice(at, 1);
    return at === -1 && name !== "Immediate" && !isEnding(name);
  });
}
