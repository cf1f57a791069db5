import type { ResolvedEffect } from "./effect.ts";
import { escapePattern } from "./glob.ts";

/**
 * The smallest rule that covers one effect of a tool's call: its own words, path or host and nothing more.
 * An opaque command is covered by the whole tool alone.
 */
export function suggestRule(toolName: string, effect: ResolvedEffect): string {
  switch (effect.kind) {
    case "exec":
      return effect.opaque ? toolName : `${toolName}(${effect.argv.map(quoteWord).join(" ")})`;
    case "net":
      return `${toolName}(${escapePattern(effect.host)})`;
    default:
      return `${toolName}(${placePattern(effect.path.display)}${effect.recursive ? "/**" : ""})`;
  }
}

function quoteWord(word: string): string {
  if (word !== "" && !/[\s"'\\]/.test(word)) return escapePattern(word);
  return word.includes("'") ? `"${word.replaceAll(/["\\]/g, String.raw`\$&`)}"` : `'${word}'`;
}

/** A pattern without a slash would match at any depth, so a name of the workspace's top gets its `./`. */
const placePattern = (display: string): string =>
  escapePattern(display.includes("/") && !display.startsWith("~") ? display : `./${display}`);
