const BREAK =
  /(?<=[.?!;])\s+|[。．？！；\n]+|,\s+(?=(?:and|then|also)\b)|[，、](?=(?:然后|并且|再|そして|次に))/;
const MAX_PARTS = 8;

/** The sentences of a request, and its clauses that begin with "and", "then" or "also" after a comma. */
export const requestParts = (request: string): string[] =>
  request
    .split(BREAK)
    .filter((part) => part.trim() !== "")
    .slice(0, MAX_PARTS);
