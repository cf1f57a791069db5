import { messageOf } from "@toycoder/core";

/** The JSON of an answer, as a value and as its text, or why there is none. */
export type ParsedAnswer = { ok: true; value: unknown; text: string } | { ok: false; problem: string };

/** A fence stands on lines of its own, and no JSON text holds a line's end in a string: the first end is the end. */
const FENCED = /^[ \t]*```(?:json)?[ \t]*\r?\n(.*?)\r?\n[ \t]*```[ \t]*$/gimsu;

/** Reads an answer that is JSON, or that holds some in a fence (the last one that can be read, where there are more). */
export function parseAnswer(answer: string): ParsedAnswer {
  const whole = parse(answer.trim());
  if (whole.ok) return whole;
  const fenced = [...answer.matchAll(FENCED)].map(([, text = ""]) => parse(text.trim()));
  return fenced.findLast(({ ok }) => ok) ?? fenced.at(-1) ?? whole;
}

function parse(text: string): ParsedAnswer {
  try {
    return { ok: true, value: JSON.parse(text) as unknown, text };
  } catch (error) {
    return { ok: false, problem: `the answer is not JSON: ${messageOf(error)}` };
  }
}
