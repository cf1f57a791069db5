/** What a scan of an object or list literal comes upon: strings, comments, words and signs; the rest is skipped. */
const TOKEN =
  /"(?:[^"\\\n]|\\.)*"|'(?:[^'\\\n]|\\.)*'|`(?:[^`\\]|\\[^])*`|\/\/.*|\/\*[^]*?\*\/|[A-Za-z_$][\w$]*|-?\d[\w.]*|[[\]{}(),:]|\S/g;

interface Token {
  text: string;
  offset: number;
}

/**
 * The offset of a value in JSON or in the source of a module whose default export is an object literal (alone, or
 * the argument of a call): of its key, or of the entry of a list. Undefined where it isn't written out there, or is
 * there twice.
 */
export function locateInCode(source: string, path: readonly (string | number)[]): number | undefined {
  const tokens = [...source.matchAll(TOKEN)]
    .map((match): Token => ({ text: match[0], offset: match.index }))
    .filter(({ text }) => !text.startsWith("//") && !text.startsWith("/*"));
  let at = rootOf(tokens);
  let found: number | undefined;
  for (const key of path) {
    const next = at === undefined ? undefined : entryOf(tokens, at, key);
    if (next === undefined) return undefined;
    found = tokens[next.name]?.offset;
    at = next.value;
  }
  return found;
}

/** The index of the config's opening bracket. */
function rootOf(tokens: readonly Token[]): number | undefined {
  if (tokens[0]?.text === "{") return 0;
  let at = tokens.findIndex(({ text }, index) => text === "default" && tokens[index - 1]?.text === "export");
  if (at === -1) return undefined;
  while (/^[\w$(.]+$/.test(tokens[++at]?.text ?? ""));
  return tokens[at]?.text === "{" ? at : undefined;
}

/** Where the entry `key` of the literal that opens at `open` stands: its name, or itself, and its value. */
function entryOf(
  tokens: readonly Token[],
  open: number,
  key: string | number,
): { name: number; value: number } | undefined {
  if (tokens[open]?.text !== (typeof key === "number" ? "[" : "{")) return undefined;
  const found: { name: number; value: number }[] = [];
  let depth = 0;
  let count = 0;
  for (let at = open; at < tokens.length; at++) {
    const text = tokens[at]?.text ?? "";
    // An entry that is spread shifts the ones after it.
    if (depth === 1 && text === "." && typeof key === "number") return undefined;
    const starts = depth === 1 && (at === open + 1 || tokens[at - 1]?.text === ",");
    if (starts && typeof key === "number" && count++ === key && text !== "]") return { name: at, value: at };
    if (starts && tokens[at + 1]?.text === ":" && nameOf(text) === key)
      found.push({ name: at, value: at + 2 });
    if ("[{(".includes(text)) depth++;
    if ("]})".includes(text) && --depth === 0) break;
  }
  return found.length === 1 ? found[0] : undefined;
}

function nameOf(text: string): string {
  if (text.startsWith("'")) return text.slice(1, -1);
  if (!text.startsWith('"')) return text;
  try {
    return JSON.parse(text) as string;
  } catch {
    return text;
  }
}
