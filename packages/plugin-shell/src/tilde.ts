import type { Walk } from "./walk.ts";

/** A path with its leading `~` put in. Undefined where only the shell knows: another person's home, `~+`. */
export function expandTilde(text: string, { environment }: Walk): string | undefined {
  const home = environment.HOME;
  if (home === undefined || !home.startsWith("/") || !/^~(?:\/|$)/.test(text)) return undefined;
  return home + text.slice(1);
}
