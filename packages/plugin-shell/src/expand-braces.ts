const ONE_GROUP = /^([\w./@%+:=*?-]*)\{([\w./@%+:=*?-]*(?:,[\w./@%+:=*?-]*)+)\}([\w./@%+:=*?-]*)$/;

/** The words of a plain list in braces: `a{b,c}` gives ab and ac. Undefined for everything else. */
export function expandBraces(text: string): string[] | undefined {
  const [, before = "", list, after = ""] = ONE_GROUP.exec(text) ?? [];
  if (list === undefined || before.endsWith("$")) return undefined;
  const words = list.split(",").map((one) => before + one + after);
  // A word that comes to nothing is left out.
  return words.filter((one) => one !== "");
}
