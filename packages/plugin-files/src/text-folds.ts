/** A way in which two texts may differ though they look or mean the same. */
export interface Fold {
  /** What differs, in words. */
  name: string;
  apply: (line: string) => string;
}

const QUOTES: readonly (readonly [RegExp, string])[] = [
  [/[\u2018\u2019\u201A\u201B\u2032\u02BC`´]/g, "'"],
  [/[\u201C\u201D\u201E\u201F\u2033\u00AB\u00BB]/g, '"'],
];

/** Applied in this order to one line, without its end. */
export const FOLDS: readonly Fold[] = [
  { name: "Unicode form (composed or decomposed characters)", apply: (line) => line.normalize("NFC") },
  {
    name: "invisible characters",
    apply: (line) => line.replaceAll(/[\u200B-\u200F\u2060\uFEFF\u00AD]/g, ""),
  },
  {
    name: "kind of space",
    apply: (line) => line.replaceAll(/[\u00A0\u2000-\u200A\u202F\u205F\u3000]/g, " "),
  },
  {
    name: "quotes",
    apply: (line) => QUOTES.reduce((text, [from, to]) => text.replaceAll(from, to), line),
  },
  { name: "dashes", apply: (line) => line.replaceAll(/[\u2010-\u2015\u2212]/g, "-") },
  { name: "ellipsis", apply: (line) => line.replaceAll("\u2026", "...") },
  { name: "trailing white space", apply: (line) => line.replace(/[ \t]+$/, "") },
  { name: "indentation", apply: (line) => line.replace(/^[ \t]+/, "") },
  { name: "white space", apply: (line) => line.replaceAll(/(?<=[^ \t])[ \t]+(?=[^ \t])/g, "") },
  { name: "upper and lower case", apply: (line) => line.toLowerCase() },
];

/** A line with every fold applied but those named. */
export function foldLine(line: string, except: readonly Fold[] = []): string {
  return FOLDS.reduce((text, fold) => (except.includes(fold) ? text : fold.apply(text)), line);
}

/** A text's lines, folded; any line end parts them. */
export function foldText(text: string, except: readonly Fold[] = []): string {
  return splitAnyEnd(text)
    .map((line) => foldLine(line, except))
    .join("\n");
}

/** Splits at CR LF, LF and lone CR. */
export const splitAnyEnd = (text: string): string[] => text.split(/\r\n|\n|\r/);
