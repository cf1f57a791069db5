import type { Effect, EffectContext } from "@toycoder/core";
import { commandEnvironment } from "./environment.ts";
import { isBashOnly, readScript } from "./read-script.ts";
import type { ShellState } from "./shell-state.ts";
import { TooMuch, Walk } from "./walk.ts";
import { walkStatements } from "./walk-script.ts";

/** How commands are run, as far as it bears on what they do. */
export interface CommandSettings {
  /** The environment that a command gets. */
  environment?: Readonly<Record<string, string>>;
  /** Whether bash reads commands, or else another POSIX shell. Default: bash. */
  bash?: boolean;
}

/**
 * What a command will do, read off its text; nothing is run. Each simple command in it is an `exec` with the paths
 * and hosts that its arguments imply, each redirection a read or write. What may do more than its words say is an
 * opaque `exec` besides; a text that isn't understood whole is one opaque `exec`. `workdir` is read where it isn't the
 * workspace's folder itself.
 */
export async function commandEffects(
  command: string,
  workdir: string,
  ctx: EffectContext,
  settings: CommandSettings = {},
): Promise<Effect[]> {
  const folder = ctx.resolve(workdir).real;
  const entering: Effect[] = folder === ctx.workspace.root ? [] : [{ kind: "read", path: workdir }];
  const opaque = (reason: string): Effect[] => [
    ...entering,
    { kind: "exec", argv: [command], opaque: true, reason },
  ];
  const parser = await import("unbash");
  const { environment = commandEnvironment(process.env), bash = true } = settings;
  if (!bash && isBashOnly(command)) return opaque("the shell is not bash, and may read it differently");

  const walk = new Walk(ctx, parser, environment, walkText);
  const state: ShellState = { folders: [folder], variables: new Map() };
  try {
    const read = readScript(command, parser);
    if ("opaque" in read) return opaque(read.opaque);
    walkStatements(read.script.commands, command, state, walk);
  } catch (error) {
    // So deep that the stack ends, or so much that it would take long.
    if (error instanceof TooMuch || error instanceof RangeError) return opaque("the command holds too much");
    throw error;
  }
  const { entanglement } = walk;
  if (entanglement !== undefined) walk.addOpaque(command, entanglement);
  const { effects } = walk;
  return effects.length === 0 ? opaque("there is no command in it") : [...entering, ...effects];
}

function walkText(walk: Walk, text: string, state: ShellState): void {
  const read = readScript(text, walk.parser);
  if ("opaque" in read) walk.addOpaque(text, read.opaque);
  else walkStatements(read.script.commands, text, state, walk);
}
