import type { Shape } from "./shape.ts";

export const TEXT: Shape = { kind: "text" };

/** A text that is not empty; `what` it is, for the message. */
export const filled = (what: string): Shape => ({
  kind: "text",
  pattern: String.raw`\S`,
  check: (value) => (value.trim() === "" ? `expected ${what}, got an empty text` : undefined),
});

/** A text that fits a pattern; `problem` says what is wrong with one that doesn't. */
export const matching = (pattern: string, problem: (value: string) => string): Shape => {
  const expression = new RegExp(pattern);
  return {
    kind: "text",
    pattern,
    check: (value) => (expression.test(value) ? undefined : problem(value)),
  };
};

/** The same shape, described for the JSON Schema and the table of keys. */
export const about = (text: string, shape: Shape): Shape => ({ ...shape, about: text });
