/** Escapes of other languages' regular expressions (`\A`, `\Z`, `\h`), which JavaScript reads as plain letters. */
const FOREIGN_ESCAPE = /(?<!\\)(?:\\\\)*\\(?![dDwWsSbBnrtvfcxuk])[A-Za-z]/;

/**
 * A schema's `pattern` as JavaScript's regular expression: with full Unicode, else as older JavaScript reads it
 * (`\-`, `[\w-.]`). Undefined where JavaScript can't say what is meant: `(?i)`, `(?P<a>…)`, `\A`, `\p{…}` outside
 * of Unicode mode.
 */
export function compilePattern(pattern: string): RegExp | undefined {
  try {
    return new RegExp(pattern, "u");
  } catch {
    if (FOREIGN_ESCAPE.test(pattern)) return undefined;
  }
  try {
    return new RegExp(pattern);
  } catch {
    return undefined;
  }
}
