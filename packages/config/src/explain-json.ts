/** What JSON.parse has against a text: in words, with the 1-based place. */
export function explainJson(
  message: string,
  content: string,
): { message: string; line: number; column: number; hint?: string } {
  const position = /at position (\d+)/.exec(message);
  const offset = position === null ? findFault(content) : Number(position[1]);
  const before = content.slice(0, offset).split("\n");
  const bare = message.replace(/ in JSON at position \d+.*$/s, "").replace(/, .* is not valid JSON$/s, "");
  const hint = hintFor(content, offset);
  return {
    message: `not valid JSON: ${bare}`,
    line: before.length,
    column: (before.at(-1)?.length ?? 0) + 1,
    ...(hint === undefined ? {} : { hint }),
  };
}

function hintFor(content: string, offset: number): string | undefined {
  const rest = content.slice(offset);
  if (/^\/[/*]/.test(rest)) return "JSON has no comments; .toycoderrc.yaml and toycoder.config.ts take them";
  if (/,\s*$/.test(content.slice(0, offset)) && /^[}\]]/.test(rest)) return "take the comma before it out";
  if (rest.trim() === "") return "it breaks off: a bracket or a string is not closed";
  if (rest.startsWith('"')) return "a comma is missing before it";
  if (rest.startsWith("'")) return "JSON takes double quotes only";
  if (/^[A-Za-z_$]/.test(rest) && /[{,]\s*$/.test(content.slice(0, offset)))
    return "put double quotes around the key";
  return undefined;
}

/** JSON.parse doesn't place every fault: it is behind the longest start that lacks only its end. */
function findFault(content: string): number {
  let good = 0;
  let bad = content.length;
  while (bad - good > 1) {
    const middle = Math.floor((good + bad) / 2);
    if (isUnexpected(content.slice(0, middle))) bad = middle;
    else good = middle;
  }
  return isUnexpected(content) ? bad - 1 : content.trimEnd().length;
}

function isUnexpected(start: string): boolean {
  try {
    JSON.parse(start);
    return false;
  } catch (error) {
    return error instanceof SyntaxError && error.message.startsWith("Unexpected token");
  }
}
