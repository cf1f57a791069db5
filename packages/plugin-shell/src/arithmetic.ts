import { isInteger, type ShellState } from "./shell-state.ts";

/** What an arithmetic expression sets, and why it may do more than calculate. */
export interface Arithmetic {
  assigned: readonly string[];
  hazard?: string;
}

const NAME = /\$?\{?([A-Za-z_]\w*)\}?/g;

/**
 * Looks at an expression by its text alone. bash evaluates what a variable holds as a further expression, in which
 * `a[$(rm x)]` runs rm: only variables that hold whole numbers are harmless.
 */
export function readArithmetic(text: string, state: ShellState): Arithmetic {
  const assigned = new Set<string>();
  const hazardous = (hazard: string): Arithmetic => ({ assigned: [...assigned], hazard });
  // Numbers first, as far as they hold letters.
  const plain = text.replaceAll(/(?<![\w$])(?:0[xX][\da-fA-F]+|\d+(?:#[\da-zA-Z]+)?)\b|\$[#?]/g, "0");
  if (!/^[\w\s+\-*/%<>=!&|^~?:,(){}$;]*$/.test(plain) || /\$(?![A-Za-z_{])|\{[^A-Za-z_]/.test(plain)) {
    return hazardous("arithmetic that is not plain can run commands");
  }
  for (const found of plain.matchAll(NAME)) {
    const [source, name = ""] = found;
    const before = plain.slice(0, found.index).trimEnd();
    const after = plain.slice(found.index + source.length).trimStart();
    const sets = /^=(?!=)/.test(after);
    if (sets || /^(?:[+\-*/%&^|]|<<|>>)=|^\+\+|^--/.test(after) || /(?:\+\+|--)$/.test(before)) {
      assigned.add(name);
    }
    if (sets && !source.startsWith("$")) continue;
    if (isInteger(state.variables.get(name)) || (assigned.has(name) && sets)) continue;
    return hazardous(`arithmetic evaluates what $${name} holds`);
  }
  return { assigned: [...assigned] };
}
