import { type ToolContext, ToolError } from "@toycoder/core";
import { type Bubblewrap, findBubblewrap } from "./bubblewrap.ts";
import { findGuarded, type GuardedScope } from "./find-guarded.ts";
import { FolderListings } from "./folder-listing.ts";
import { absentPaths, makePlaceholders, removePlaceholders } from "./placeholders.ts";
import { sandboxArguments } from "./sandbox-arguments.ts";
import { setAside } from "./set-aside.ts";

/** `auto`: where it works; `required`: commands fail without it; `off`: none. */
export type SandboxMode = "auto" | "required" | "off";

/** Whether commands run in a sandbox, as it was found out once. */
export interface Sandbox {
  readonly mode: SandboxMode;
  readonly network: boolean;
  readonly found: Bubblewrap;
}

/** One command's sandbox. */
export interface Enclosure {
  /** bubblewrap and its arguments, to which the program to run is added. */
  readonly program: string;
  readonly args: readonly string[];
  /** To be called when nothing of the command is left. Gives what it did against the rules all the same, in words. */
  finish(): string[];
}

/** More mounts than this make each command slow, and the rule is better written for a folder. */
const MAX_MOUNTS = 1000;

/** Looks whether bubblewrap works here, and gives the sandbox that the mode asks for. */
export async function openSandbox(
  mode: SandboxMode,
  network: boolean,
  searchPath?: string,
): Promise<Sandbox> {
  return mode === "off"
    ? withoutSandbox
    : { mode, network, found: await findBubblewrap(network, searchPath) };
}

/** What holds where nothing is said. */
export const withoutSandbox: Sandbox = { mode: "off", network: true, found: { problem: "" } };

/**
 * Encloses the next command; undefined where it runs without a sandbox. Throws a ToolError `sandbox_unavailable`
 * where one is required and cannot be had.
 */
export function enclose(sandbox: Sandbox, cwd: string, ctx: ToolContext): Enclosure | undefined {
  const { mode, found, network } = sandbox;
  if ("problem" in found) {
    if (mode === "auto") tellOnce(found.problem, ctx);
    if (mode !== "required") return undefined;
    throw new ToolError("sandbox_unavailable", `commands run in a sandbox alone, and ${found.problem}`, {
      hint: 'install bubblewrap, or set the option sandbox of the plugin shell to "auto" or "off"',
    });
  }
  const scope = scopeOf(ctx);
  const placeholders = makePlaceholders(absentPaths(scope));
  try {
    const guarded = findGuarded(scope);
    if (guarded.readOnly.size + guarded.hidden.size > MAX_MOUNTS) {
      throw new ToolError(
        "sandbox_too_large",
        `rules hide or protect more than ${MAX_MOUNTS} files, each by itself`,
        { hint: "name folders instead of files in the rules of read: and write:" },
      );
    }
    const { hidden, readOnly } = guarded;
    const { roots } = scope;
    return {
      program: found.program,
      args: sandboxArguments({ roots, readOnly, hidden, network, cwd }),
      finish() {
        removePlaceholders(placeholders);
        return setAside(guarded, scope);
      },
    };
  } catch (error) {
    removePlaceholders(placeholders);
    throw error;
  }
}

function tellOnce(problem: string, ctx: ToolContext): void {
  const state = ctx.state(STATE);
  if (!state.has("told")) ctx.progress(`without a sandbox: ${problem}`);
  state.set("told", true);
}

const STATE = "run_command.sandbox";

/** Rules stay the same over a session, and so do listings. */
function scopeOf(ctx: ToolContext): GuardedScope {
  const state = ctx.state(STATE);
  const known = state.get("scope") as GuardedScope | undefined;
  if (known !== undefined) return known;
  const scope: GuardedScope = {
    roots: ctx.workspace.roots,
    reads: ctx.bounds("read"),
    writes: ctx.bounds("write"),
    listings: new FolderListings(),
  };
  state.set("scope", scope);
  return scope;
}
