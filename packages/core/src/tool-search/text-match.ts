import { foldText } from "./split-words.ts";
import type { SearchableTool } from "./tool-fields.ts";

const SHORTEST_SQUEEZED = 4;

/** Where a request stands in tools as it is, not word by word. Tools are given by their number. */
export interface TextMatch {
  /** The tools that the request names: to the letter, and in any style. */
  readonly named: readonly [exactly: readonly number[], inAnyStyle: readonly number[]];
  /** The share of the tool's name that the request is; 0 where it is no part of it. */
  shareOfName(tool: number): number;
  /** 3 where the request is part of the tool's name, 2 of a tag, 1 of the description, else 0. */
  place(tool: number): 0 | 1 | 2 | 3;
}

export function createTextMatcher(tools: readonly SearchableTool[]): (request: string) => TextMatch {
  const texts = tools.map(({ name, tags = [], description }) => ({
    name: foldText(name),
    squeezed: squeeze(name),
    tags: tags.map(foldText),
    description: foldText(description),
  }));
  const byName = Map.groupBy(tools.keys(), (tool) => tools[tool]?.name.trim());
  const bySqueezed = Map.groupBy(texts.keys(), (tool) => texts[tool]?.squeezed);

  return (request) => {
    const wanted = request.trim();
    const folded = foldText(wanted);
    const squeezed = squeeze(wanted);
    const isInName = (text: { name: string; squeezed: string }): boolean =>
      text.name.includes(folded) ||
      (squeezed.length >= SHORTEST_SQUEEZED && text.squeezed.includes(squeezed));

    return {
      named: [byName.get(wanted) ?? [], squeezed === "" ? [] : (bySqueezed.get(squeezed) ?? [])],
      shareOfName(tool) {
        const text = texts[tool];
        if (text === undefined || folded === "" || !isInName(text)) return 0;
        return Math.min(1, folded.length / text.name.length);
      },
      place(tool) {
        const text = texts[tool];
        if (text === undefined || folded === "") return 0;
        if (isInName(text)) return 3;
        if (text.tags.some((tag) => tag.includes(folded))) return 2;
        return text.description.includes(folded) ? 1 : 0;
      },
    };
  };
}

const squeeze = (text: string): string => foldText(text).replaceAll(/[\s_.\-/:]/g, "");
