import type { Problem } from "./problem.ts";

/** More than people write, and far from the end of the parser's stack. */
const MAX_DEPTH = 100;
const OTHER = /[^\w.,()+\-*/^%!\s×÷·−]/u;

/**
 * What is wrong with a text before it is parsed. Only arithmetic has these characters: without quotes, brackets of
 * lists, "=", ":" and ";" there are no texts, lists, assignments, ranges or statements.
 */
export function checkText(expression: string): Problem | undefined {
  const other = OTHER.exec(expression);
  if (other !== null) {
    const message = `${JSON.stringify(other[0])} is not part of an arithmetic expression`;
    return { code: "syntax_error", message, at: other.index };
  }
  let depth = 0;
  for (let at = 0; at < expression.length; at++) {
    if (expression[at] === ")") depth--;
    if (expression[at] !== "(" || ++depth <= MAX_DEPTH) continue;
    return { code: "too_complex", message: `brackets are nested more than ${MAX_DEPTH} deep`, at };
  }
  return undefined;
}

const SIGNS: Readonly<Record<string, string>> = { "×": "*", "·": "*", "÷": "/", "−": "-" };

/** The text as the parser takes it, character for character: typographic signs, and line ends as spaces. */
export const plainSigns = (expression: string): string =>
  expression.replaceAll(/[×÷·−\s]/g, (sign) => SIGNS[sign] ?? " ");
