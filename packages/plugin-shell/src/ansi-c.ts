const SIMPLE: Readonly<Record<string, string>> = {
  "\\": "\\",
  "'": "'",
  '"': '"',
  "?": "?",
  a: "\u0007",
  b: "\b",
  e: "\u001b",
  E: "\u001b",
  f: "\f",
  n: "\n",
  r: "\r",
  t: "\t",
  v: "\v",
};

/** The text that `$'…'` stands for, or undefined where shells differ about it or it isn't plain ASCII. */
export function decodeAnsiC(source: string): string | undefined {
  const [, inner] = /^\$'((?:[^'\\]|\\[^])*)'$/.exec(source) ?? [];
  if (inner === undefined) return undefined;
  let known = true;
  const text = inner.replaceAll(
    /\\(?:x([\da-fA-F]{1,2})|([0-7]{1,3})|u([\da-fA-F]{4})|([^]))/g,
    (_, hex?: string, octal?: string, unicode?: string, letter?: string) => {
      if (letter !== undefined) {
        const simple = SIMPLE[letter];
        if (simple === undefined) known = false;
        return simple ?? "";
      }
      const code = Number.parseInt(hex ?? octal ?? unicode ?? "0", octal === undefined ? 16 : 8);
      if (code === 0 || code > 126) known = false;
      return String.fromCodePoint(code);
    },
  );
  return known ? text : undefined;
}
