import type { ResolvedPath } from "./workspace.ts";

/**
 * What a call says it will do. Paths are as the caller wrote them, relative to the workspace.
 * - `recursive`: the effect reaches everything beneath the path.
 * - `filtered`, with `recursive`: the tool leaves out whatever `ctx.mayRead` refuses, so a deny rule for something
 *   beneath the path hides that and lets the call go on.
 * - `implied`: read off the arguments of a command, not certain; deny rules see it, allow rules needn't cover it.
 * - `opaque`: a command that could not be taken apart; `argv` then holds its whole text.
 * - `variants`: other ways to write the command, which deny and ask rules match, too (`git push` of `git -C x push`).
 * - `readOnly`: the command is surely one that only reads: the rule `shell:read-only` covers it.
 */
export type Effect =
  | { kind: "read" | "write"; path: string; recursive?: boolean; filtered?: boolean; implied?: boolean }
  | ({ kind: "exec"; argv: readonly string[]; opaque?: boolean } & ExecDetails)
  | { kind: "net"; host: string; implied?: boolean };

interface ExecDetails {
  /** Why it is opaque. */
  reason?: string;
  variants?: readonly (readonly string[])[];
  readOnly?: boolean;
}

/** An effect with its path resolved through the file system, as rules judge it. */
export type ResolvedEffect =
  | { kind: "read" | "write"; path: ResolvedPath; recursive: boolean; filtered?: boolean; implied: boolean }
  | ({ kind: "exec"; argv: readonly string[]; opaque: boolean; implied: false } & ExecDetails)
  | { kind: "net"; host: string; implied: boolean };

/** Resolves the effects of a call against a workspace. Throws a ToolError for a path that no file can have. */
export function resolveEffects(
  effects: readonly Effect[],
  resolve: (path: string) => ResolvedPath,
): ResolvedEffect[] {
  return effects.map((effect): ResolvedEffect => {
    if (effect.kind === "exec") {
      return { ...effect, opaque: effect.opaque ?? false, implied: false };
    }
    const implied = effect.implied ?? false;
    if (effect.kind === "net") return { kind: "net", host: effect.host.toLowerCase(), implied };
    const { kind, recursive = false, filtered = false } = effect;
    return { kind, path: resolve(effect.path), recursive, filtered, implied };
  });
}

/** An effect in the published form of `explain` and of decision events. */
export interface EffectReport {
  kind: Effect["kind"];
  path?: string;
  argv?: readonly string[];
  host?: string;
  implied: boolean;
  opaque: boolean;
}

export function reportEffect(effect: ResolvedEffect): EffectReport {
  const { kind, implied } = effect;
  if (effect.kind === "exec") return { kind, argv: effect.argv, implied, opaque: effect.opaque };
  if (effect.kind === "net") return { kind, host: effect.host, implied, opaque: false };
  return { kind, path: effect.path.display, implied, opaque: false };
}
