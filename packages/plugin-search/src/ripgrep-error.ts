import { ToolError } from "@toycoder/core";
import type { RipgrepEnd } from "./run-ripgrep.ts";

/** What another try with further options would mend. */
export type Remedy = "pcre2" | "multiline";

/** Whether the pattern only lacks an option: look-around and back-references need PCRE2, a line end multiline. */
export function remedyFor({ code, errors }: RipgrepEnd): Remedy | undefined {
  if (code !== 2) return undefined;
  if (/(?:look-around|backreferences).*not supported/.test(errors)) return "pcre2";
  return /the literal .*\\n.* is not allowed/.test(errors) ? "multiline" : undefined;
}

/** Throws a ToolError where the run as a whole failed: `invalid_regex`, `invalid_file_type` or `search_failed`. */
export function checkEnd({ code, timedOut, errors }: RipgrepEnd, pattern: string): void {
  if (timedOut || code === 0 || code === 1) return;
  if (code === null) throw new ToolError("search_failed", "ripgrep was ended by a signal before it finished");
  const fault = regexFault(errors, pattern);
  if (fault !== undefined) throw fault;
  const type = /unrecognized file type: (.*)/.exec(errors);
  if (type !== null) {
    throw new ToolError("invalid_file_type", `file_type ${JSON.stringify(type[1])} is not known`, {
      hint: "file types are named as in ripgrep (ts, py, rust); or use include",
    });
  }
  if (pathErrors(errors).length === 0) {
    throw new ToolError(
      "search_failed",
      `ripgrep failed: ${errors.trim().slice(0, 500) || `exit code ${code}`}`,
    );
  }
}

/** The paths that could not be read, as ripgrep words it. */
export const pathErrors = (errors: string): string[] =>
  errors.split("\n").flatMap((line) => /^rg: (.*\(os error \d+\))$/.exec(line)?.[1] ?? []);

/** ripgrep puts the pattern into `(?:…)`, which its offsets count. */
const WRAP = 3;

function regexFault(errors: string, pattern: string): ToolError | undefined {
  const pcre = /PCRE2: error compiling pattern at offset (\d+): (.*)/.exec(errors);
  if (pcre !== null) return invalidRegex(pattern, Number(pcre[1]) - WRAP, pcre[2] ?? "it cannot be compiled");
  if (!errors.includes("regex parse error")) {
    const other = /(?:regex could not be compiled|error: |compiled regex exceeds size limit)[^\n]*/.exec(
      errors,
    );
    return other === null ? undefined : new ToolError("invalid_regex", other[0]);
  }
  const reason = /^error: (.*)$/m.exec(errors)?.[1] ?? "it cannot be parsed";
  const caret = /^( *)\^+ *$/m.exec(errors)?.[1];
  const offset = caret === undefined ? -1 : caret.length - 4 - WRAP;
  // The parser takes the wrap's own bracket for the open one.
  return invalidRegex(
    pattern,
    offset < 0 && reason === "unclosed group" ? openGroup(pattern) : offset,
    reason,
  );
}

/** The offset of the last group that is never closed; -1 where there is none. */
function openGroup(pattern: string): number {
  const open: number[] = [];
  for (const { 0: token, index } of pattern.matchAll(/\\.|\[\^?\]?(?:\\.|[^\]\\])*\]|[()]/gs)) {
    if (token === "(") open.push(index);
    else if (token === ")") open.pop();
  }
  return open.at(-1) ?? -1;
}

function invalidRegex(pattern: string, offset: number, reason: string): ToolError {
  const known = offset >= 0 && !pattern.includes("\n");
  const at = Math.min(offset, pattern.length);
  const place = known ? `, at character ${at + 1}: ${pattern.slice(0, at)}⟪here⟫${pattern.slice(at)}` : "";
  return new ToolError("invalid_regex", `the pattern is no valid regular expression: ${reason}${place}`, {
    hint: "escape special characters with a backslash, or set fixed_strings",
  });
}
