/**
 * The offset of a value in YAML that is written in blocks: of its key, or of the entry of a list; a value in flow
 * style has the place of the key that it is part of. Undefined where the key isn't found, or is there twice.
 */
export function locateInYaml(source: string, path: readonly (string | number)[]): number | undefined {
  const lines = linesOf(source);
  let from = 0;
  let to = lines.length;
  let found: number | undefined;
  for (const key of path) {
    const block = lines.slice(from, to);
    const indent = Math.min(...block.map((line) => line.indent));
    const hits = block.flatMap((line, index) =>
      line.indent === indent && (typeof key === "number" ? line.dash : line.key === key) ? [index] : [],
    );
    const index = typeof key === "number" ? hits[key] : hits.length === 1 ? hits[0] : undefined;
    const line = index === undefined ? undefined : block[index];
    if (index === undefined || line === undefined) return found;
    found = line.offset;
    const end = block.findIndex(
      (other, later) => later > index && other.indent <= indent && !isItemOf(line, other),
    );
    to = end === -1 ? to : from + end;
    from += index + 1;
  }
  return found;
}

interface Line {
  offset: number;
  indent: number;
  key: string | undefined;
  dash: boolean;
}

/** A list may stand at the very indentation of its key. */
const isItemOf = (parent: Line, line: Line): boolean =>
  !parent.dash && line.dash && line.indent === parent.indent;

/** The lines that hold something; what follows a dash is a line of its own. */
function linesOf(source: string): Line[] {
  const lines: Line[] = [];
  let start = 0;
  for (const text of source.split("\n")) {
    let at = text.search(/\S/);
    while (at !== -1 && /^-(?:\s|$)/.test(text.slice(at))) {
      lines.push({ offset: start + at, indent: at, key: undefined, dash: true });
      const rest = text.slice(at + 1).search(/\S/);
      at = rest === -1 ? -1 : at + 1 + rest;
    }
    if (at !== -1 && text[at] !== "#" && !/^(?:---|\.\.\.)/.test(text)) {
      const [, key] = /^["']?([^"':]+)["']?\s*:(?:\s|$)/.exec(text.slice(at)) ?? [];
      lines.push({ offset: start + at, indent: at, key: key?.trim(), dash: false });
    }
    start += text.length + 1;
  }
  return lines;
}
