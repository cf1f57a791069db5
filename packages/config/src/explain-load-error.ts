import { realpathSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { messageOf, SetupError } from "@toycoder/core";
import { checkSyntax, readFrame } from "./check-syntax.ts";
import { explainJson } from "./explain-json.ts";
import { explainMissing } from "./explain-missing.ts";
import { frameOf } from "./frame-of.ts";
import { moduleHint } from "./module-hint.ts";

/** What went wrong, where, and what to do about it. */
interface Explanation {
  message: string;
  /** 1-based, in `file`. */
  line?: number;
  column?: number;
  file?: string;
  /** Source lines with a caret below, as Node shows them. */
  frame?: string;
  hint?: string;
}

/** Turns what reading a config file threw into a SetupError `config_invalid` with file, line and caret. */
export function explainLoadError(error: unknown, file: string, content: string): SetupError {
  const { message, line, column, file: at = file, frame, hint } = explain(error, file, content);
  const place = line === undefined ? at : `${at}:${line}${column === undefined ? "" : `:${column}`}`;
  const shown = frame ?? (line !== undefined && at === file ? frameOf(content, line, column) : undefined);
  return new SetupError("config_invalid", `${place}: ${message}${shown === undefined ? "" : `\n${shown}`}`, {
    cause: error,
    ...(hint === undefined ? {} : { hint }),
  });
}

function explain(error: unknown, file: string, content: string): Explanation {
  const message = messageOf(error);
  if (property(error, "name") === "YAMLException") return explainYaml(error, message);
  if (message.startsWith("JSON Error in "))
    return explainJson(message.slice(message.indexOf("\n") + 1), content);
  if (property(error, "code") === "ERR_MODULE_NOT_FOUND") {
    const missing = explainMissing(message, file);
    if (missing !== undefined) return { ...missing, ...placeOfMatch(missing.specifier, content) };
  }
  if (property(error, "name") === "SyntaxError") return explainSyntax(error, message, file, content);
  const hint =
    moduleHint(message, file) ?? `the config's own code throws this; node ${file} shows the whole stack`;
  return { message, hint, ...placeInFile(error, file) };
}

/** js-yaml's errors carry a 0-based mark. */
function explainYaml(error: unknown, message: string): Explanation {
  const mark = property(error, "mark");
  const reason = property(error, "reason");
  const line = property(mark, "line");
  const column = property(mark, "column");
  const said = `not valid YAML: ${typeof reason === "string" ? reason : message}`;
  const hint = yamlHint(said);
  const known = { message: said, ...(hint === undefined ? {} : { hint }) };
  if (typeof line !== "number" || typeof column !== "number") return known;
  return { ...known, line: line + 1, column: column + 1 };
}

function yamlHint(reason: string): string | undefined {
  if (/\btab\b/.test(reason)) return "indent with spaces";
  if (/duplicated mapping key/.test(reason)) return "take one of the two out, or put both values into one";
  if (/unknown .*tag/.test(reason))
    return "YAML holds plain values only; what is to run goes into a .ts config";
  return undefined;
}

function placeOfMatch(pattern: RegExp, content: string): { line?: number; column?: number } {
  const found = pattern.exec(content);
  if (found === null) return {};
  const before = content.slice(0, found.index).split("\n");
  return { line: before.length, column: (before.at(-1)?.length ?? 0) + 1 };
}

/** Node puts place, source and caret in front of some syntax errors' stacks, and prints them for the rest. */
function explainSyntax(error: unknown, message: string, file: string, content: string): Explanation {
  const stack = property(error, "stack");
  const framed = readFrame(typeof stack === "string" ? stack : "", file) ?? checkSyntax(file, content);
  // Node tells no place for what is missing at the end.
  if (framed === undefined && message.startsWith("Unexpected end of input"))
    return { message, hint: "a bracket or a string is not closed", ...placeOfMatch(/(?<=\S)\s*$/, content) };
  const { line, frame, file: at } = framed ?? {};
  const hint =
    moduleHint(message, at ?? file, framed?.source) ?? "often it is the end of the line before that is wrong";
  return {
    message,
    hint,
    ...(line === undefined ? {} : { line }),
    ...(frame === undefined ? {} : { frame }),
    ...(at === undefined ? {} : { file: at }),
  };
}

/** The first place of a thrown error's stack that lies in the config file itself. */
function placeInFile(error: unknown, file: string): { line?: number; column?: number } {
  const stack = property(error, "stack");
  if (typeof stack !== "string") return {};
  for (const [, where = "", line, column] of stack.matchAll(
    /(?:\(|at )(file:\/\/[^\s)]+|\/[^\s)]+):(\d+):(\d+)/g,
  )) {
    const at = where.startsWith("file:") ? fileURLToPath(where) : where;
    if (at === file || at === realpathSync(file)) return { line: Number(line), column: Number(column) };
  }
  return {};
}

function property(value: unknown, name: string): unknown {
  return typeof value === "object" && value !== null ? (Reflect.get(value, name) as unknown) : undefined;
}
