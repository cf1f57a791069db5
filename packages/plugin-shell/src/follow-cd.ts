import { accessSync, constants, statSync } from "node:fs";
import path from "node:path";
import { physicalPath, realOf } from "./physical-path.ts";
import type { Outcome, ShellState } from "./shell-state.ts";
import type { ShellWord } from "./shell-word.ts";
import { expandTilde } from "./tilde.ts";
import type { Walk } from "./walk.ts";

/**
 * Follows `cd`: a read of the folder, in which relative paths start if it succeeds. To an unknown place it makes the
 * folder unknown.
 */
export function followCd(words: readonly ShellWord[], text: string, state: ShellState, walk: Walk): Outcome {
  walk.changesFolder = true;
  walk.spend(3);
  const unknown = (): Outcome => {
    walk.addOpaque(text, "it goes to a folder that is only known when it runs");
    return { ok: { ...state, folders: undefined }, fail: state };
  };
  const args = words.slice(1);
  if (args[0]?.value === "--" || /^-[LP]$/.test(args[0]?.value ?? "")) args.shift();
  const [target = { value: "~", glob: false, tilde: true }, ...more] = args;
  if (more.length > 0 || target.unknown === true || target.glob || target.value.startsWith("-"))
    return unknown();
  const place = target.tilde ? expandTilde(target.value, walk) : target.value;
  if (place === undefined || place === "" || target.stream === true) return unknown();
  if (!place.startsWith("/") && state.folders === undefined) return unknown();
  const from = place.startsWith("/") ? ["/"] : (state.folders ?? []);
  // `cd` leaves a link by its own name, but where there is no such folder, or with -P, by its target.
  const physical = place.includes("..") || words[1]?.value === "-P";
  const folders = [
    ...new Set(
      from.flatMap((folder) => {
        const named = path.resolve(folder, place);
        return physical ? [named, realOf(physicalPath(place, folder))] : [named];
      }),
    ),
  ];
  const inside = folders.filter((folder) => walk.context.resolve(folder).inside);
  if (inside.length > 0 && inside.length < folders.length) {
    walk.addOpaque(text, "it leaves the workspace if an earlier cd fails");
  }
  for (const folder of inside.length > 0 ? inside : folders) walk.add({ kind: "read", path: folder });
  const sure = walk.undisturbed && folders.every(canEnter);
  return { ok: { ...state, folders }, fail: sure ? undefined : state };
}

function canEnter(folder: string): boolean {
  try {
    accessSync(folder, constants.X_OK);
    return statSync(folder).isDirectory();
  } catch {
    return false;
  }
}
