import type { Tool } from "@toycoder/core";
import type { Finding } from "../finding.ts";

/** Words that say nothing about what a tool does. */
const EMPTY_WORDS: ReadonlySet<string> = new Set(
  `a an and any are as at by do does for from get gets give given handle handler handles helper helps in info
  information input into is it its item items manage manages method misc object of on operation or output perform
  performs process processes query queries result results return returned returns run runs stuff that the them
  thing things this to tool use used useful user using utility value values various with work works data function
  execute executes call calls api request these those they it`.split(/\s+/),
);
const RESULT =
  /\b(?:returns?|gives?|results?|answers?|outputs?|shows?|prints?|reports?|resolves?|lists?|tells?|as)\b|:|返回|返す/i;
const PLACE =
  /\b(?:in|of|from|on|at|to|into|under|within|through|via|with|without|by|for|the|this|workspace)\b/i;

/** The words of a description that tell this tool from others. */
export function tellingWords(description: string): Set<string> {
  const words = description.toLowerCase().match(/\p{L}[\p{L}\p{N}_-]*/gu) ?? [];
  return new Set(words.filter((word) => word.length > 1 && !EMPTY_WORDS.has(word)));
}

/** A writing without spaces between its words is not judged by words. */
const isSpaced = (text: string): boolean =>
  !/[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}]/u.test(text);

/** What a model can't learn from a tool's description: what it does, where, and what it gives back. */
export function descriptionFindings({ name, description }: Pick<Tool, "name" | "description">): Finding[] {
  const place = `tool ${name}, description`;
  const shown = JSON.stringify(description.length > 60 ? `${description.slice(0, 60)}…` : description);
  if (isSpaced(description) ? tellingWords(description).size < 3 : description.length < 8) {
    return [
      {
        severity: "error",
        code: "description_vague",
        place,
        message: `${shown} could be said of many tools`,
        fix: "say what it does, with or where, and what it returns: not “query data”, but “Look up an order of the shop by its number; returns its state and items”",
      },
    ];
  }
  const findings: Finding[] = [];
  if (!RESULT.test(description)) {
    findings.push({
      severity: "error",
      code: "description_no_result",
      place,
      message: `${shown} does not say what the tool returns`,
      fix: "add it: “…; returns …”",
    });
  }
  if (isSpaced(description) && !PLACE.test(description)) {
    findings.push({
      severity: "warning",
      code: "description_no_place",
      place,
      message: `${shown} does not say where it works`,
      fix: "name the system, the folder or the kind of thing that it is about",
    });
  }
  return findings;
}
