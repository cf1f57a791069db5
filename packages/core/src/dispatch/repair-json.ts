const SPACE_OR_MARK = /[\s,:[\]{}()]/;
const QUOTES = `"'\`\u00B4\u2018\u2019\u201C\u201D`;

const TOKENS = /"((?:[^"\\]|\\.)*)"|-?\d[\d.eE+-]*/gs;

/**
 * A broken JSON text made whole (missing brackets and quotes, single quotes, trailing commas, comments, line breaks
 * in strings), or undefined where that can't be done without changing what a string holds or leaving something
 * out. The parser is loaded here, at the first broken text.
 */
export async function repairJson(text: string): Promise<unknown> {
  const { jsonrepair } = await import("jsonrepair");
  try {
    const repaired = jsonrepair(text);
    return keepsStrings(text, repaired) ? (JSON.parse(repaired) as unknown) : undefined;
  } catch {
    return undefined;
  }
}

/**
 * Whether each string and number of `repaired` stands in `text` as it is, one after the other and whole: a repair
 * may add quotes, and never take out a backslash, join two strings or end a number. What stands between them may
 * not be an ellipsis.
 */
function keepsStrings(text: string, repaired: string): boolean {
  let from = 0;
  let between = "";
  for (const [token, content = token] of repaired.matchAll(TOKENS)) {
    const found = findWhole(text, content, from) ?? findWhole(text, withControls(content), from);
    if (found === undefined) return false;
    between += text.slice(from, found.start);
    from = found.end;
  }
  return !(between + text.slice(from)).includes("...");
}

function findWhole(text: string, content: string, from: number): { start: number; end: number } | undefined {
  for (let start = text.indexOf(content, from); start !== -1; start = text.indexOf(content, start + 1)) {
    const end = start + content.length;
    const before = text.charAt(start - 1);
    const after = text.charAt(end);
    const quoted = before !== "" && QUOTES.includes(before);
    const whole = quoted
      ? after === "" || QUOTES.includes(after)
      : content !== "" && [before, after].every((mark) => mark === "" || SPACE_OR_MARK.test(mark));
    if (whole) return { start, end };
  }
  return undefined;
}

/** Line breaks and tabs as they stood in the text before the repair escaped them. */
const withControls = (content: string): string =>
  content
    .replaceAll(String.raw`\n`, "\n")
    .replaceAll(String.raw`\r`, "\r")
    .replaceAll(String.raw`\t`, "\t");
