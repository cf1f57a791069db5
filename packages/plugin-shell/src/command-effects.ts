import path from "node:path";
import type { Effect, EffectContext } from "@toycoder/core";
import { impliedEffects } from "./implied-effects.ts";
import { readSimpleCommand, type ShellWord } from "./simple-command.ts";
import { hidesCommands } from "./wrappers.ts";

/**
 * What a command will do, read off its text; nothing is run. One simple command with literal words is its `exec`
 * with the paths and hosts that its arguments imply; everything else is one opaque `exec`, which keeps what is implied
 * where at least the words are known. `workdir` is read where it isn't the workspace's folder itself.
 */
export async function commandEffects(
  command: string,
  workdir: string,
  ctx: EffectContext,
): Promise<Effect[]> {
  const folder = ctx.resolve(workdir).real;
  const elsewhere = folder !== ctx.workspace.root;
  const entering: Effect[] = elsewhere ? [{ kind: "read", path: workdir }] : [];
  const opaque = (reason: string): Effect[] => [
    ...entering,
    { kind: "exec", argv: [command], opaque: true, reason },
  ];

  const read = await readSimpleCommand(command);
  if ("opaque" in read) return opaque(read.opaque);
  const { words } = read;
  const argv = words.map((word) => word.value);
  const implied = impliedEffects(words, folder, ctx);
  const hidden = hidesCommands(argv);
  if (hidden !== undefined) return [...opaque(hidden), ...implied];
  const unsure = words.find(expandsToAnyWord);
  if (unsure !== undefined) return [...opaque(`${unsure.value} can stand for any word`), ...implied];

  const [name = "", ...args] = argv;
  const relative = elsewhere && name.includes("/") && !path.isAbsolute(name);
  const exec: Effect = { kind: "exec", argv: [relative ? fromRoot(folder, name, ctx) : name, ...args] };
  return [...entering, exec, ...implied];
}

/** A program named relative to another folder than the workspace's, as a rule would name it. */
function fromRoot(folder: string, name: string, ctx: EffectContext): string {
  const relative = path.relative(ctx.workspace.root, path.resolve(folder, name));
  return relative.startsWith("..") ? path.resolve(folder, name) : `./${relative}`;
}

/**
 * `pus[h]` becomes `push` where such a file is, and `*` may become an option; `./*.ts`, `.e*` and `--include=*.ts`
 * stay what they are.
 * A tilde with a name is another person's home, or a folder that only the shell knows.
 */
function expandsToAnyWord({ value, glob, tilde }: ShellWord): boolean {
  if (tilde && !/^~(?:\/|$)/.test(value)) return true;
  return glob && !tilde && !/^(?:\.|\/|[^*?[-][^*?[]*\/|--[a-z][a-z0-9-]*=)/.test(value);
}
