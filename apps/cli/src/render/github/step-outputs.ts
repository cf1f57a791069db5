import { randomUUID } from "node:crypto";
import type { RunResult } from "@toycoder/agent";
import { cutBytes } from "./markdown.ts";

/**
 * The most that one output holds. GitHub takes 1 MB for all of a job; an output is used through an environment
 * variable, and Linux takes 128 KiB for one (execve(2), "Limits on size of arguments and environment").
 */
export const OUTPUT_BYTES = 120_000;

/** The lines for `GITHUB_OUTPUT`: `result`, `exit-code`, `status`, `session-id`, `text`. */
export function stepOutputs(result: RunResult): string {
  const values: Readonly<Record<string, string>> = {
    result: shortJson(result),
    "exit-code": String(result.exitCode),
    status: result.status,
    "session-id": result.sessionId,
    text: cutBytes(result.text, OUTPUT_BYTES),
  };
  return Object.entries(values)
    .map(([name, value]) => outputLines(name, value))
    .join("");
}

/** A value between delimiters that it cannot know ("Workflow commands for GitHub Actions", "Multiline strings"). */
function outputLines(name: string, value: string): string {
  const delimiter = `toycoder-${randomUUID()}`;
  return `${name}<<${delimiter}\n${value}\n${delimiter}\n`;
}

/** The result as JSON. A long one lacks the typed answer and the arguments of calls, and has shorter texts and lists. */
function shortJson(result: RunResult): string {
  const fits = (json: string): boolean => Buffer.byteLength(json) <= OUTPUT_BYTES;
  const denials = result.denials.map((denial) => ({ ...denial, arguments: null }));
  const small = { ...result, output: null, denials };
  let json = JSON.stringify(result);
  for (let length = OUTPUT_BYTES / 2; !fits(json); length = Math.floor(length / 2))
    json = JSON.stringify(shorten(small, length));
  return json;
}

function shorten(value: unknown, length: number): unknown {
  if (typeof value === "string") return value.length <= length ? value : `${cutBytes(value, length)}…`;
  if (Array.isArray(value)) return value.slice(0, Math.ceil(length / 100)).map((one) => shorten(one, length));
  if (typeof value !== "object" || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([key, one]) => [key, shorten(one, length)]));
}
