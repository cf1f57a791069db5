/** Why an expression has no value; `at` is the index of the character that is to blame. */
export interface Problem {
  code: string;
  message: string;
  hint?: string;
  at?: number;
  /** The name that is not known. */
  name?: string;
}

const AROUND = 40;

/** The expression, or what is around the place, with a caret under it. */
export function showPlace(expression: string, at: number): string {
  const start = at > AROUND ? at - AROUND : 0;
  const end = Math.min(expression.length, at + AROUND);
  const before = start > 0 ? "…" : "";
  const line = `${before}${expression.slice(start, end)}${end < expression.length ? "…" : ""}`;
  return `  ${line.replaceAll(/\s/g, " ")}\n  ${" ".repeat(before.length + at - start)}^ at ${at + 1}`;
}
