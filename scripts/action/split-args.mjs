/**
 * The words of a line as a POSIX shell splits them, and nothing else of what a shell does: white space separates,
 * '…' is taken as it is, in "…" a backslash stands before " and \, outside of quotes before anything.
 */
export function splitArgs(text) {
  const words = [];
  let word;
  let quote;
  for (let at = 0; at < text.length; at++) {
    const char = text[at];
    if (quote === undefined && /\s/.test(char)) {
      if (word !== undefined) words.push(word);
      word = undefined;
      continue;
    }
    word ??= "";
    if (quote === undefined && (char === "'" || char === '"')) quote = char;
    else if (char === quote) quote = undefined;
    else if (char === "\\" && quote !== "'" && (quote === undefined || /["\\]/.test(text[at + 1] ?? ""))) {
      at++;
      if (at === text.length) throw new Error("args: a backslash stands at the end");
      word += text[at];
    } else word += char;
  }
  if (quote !== undefined) throw new Error(`args: a ${quote} is not closed`);
  return word === undefined ? words : [...words, word];
}
