/** Values shorter than this are too common in ordinary text to be masked. */
const SHORTEST = 6;

/** Takes the values of credentials out of texts. */
export type Mask = (text: string) => string;

/** Replaces every credential's value, wherever it stands in a text, by its name: `[credential NAME]`. */
export function createMask(credentials: Readonly<Record<string, string>>): Mask {
  const entries = Object.entries(credentials)
    .filter(([, value]) => value.length >= SHORTEST)
    // A value that holds another one goes first.
    .sort(([, a], [, b]) => b.length - a.length);
  if (entries.length === 0) return (text) => text;
  return (text) =>
    entries.reduce((masked, [name, value]) => masked.replaceAll(value, `[credential ${name}]`), text);
}
