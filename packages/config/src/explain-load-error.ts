import { realpathSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { messageOf, SetupError } from "@toycoder/core";
import { checkSyntax, readFrame } from "./check-syntax.ts";
import { explainJson } from "./explain-json.ts";

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
  const code = property(error, "code");
  const message = messageOf(error);
  if (property(error, "name") === "YAMLException") return explainYaml(error, message);
  if (message.startsWith("JSON Error in "))
    return explainJson(message.slice(message.indexOf("\n") + 1), content);
  if (code === "ERR_MODULE_NOT_FOUND") return explainMissing(message, file);
  if (property(error, "name") === "SyntaxError") return explainSyntax(error, message, file, content);
  return { message, ...placeInFile(error, file) };
}

/** js-yaml's errors carry a 0-based mark. */
function explainYaml(error: unknown, message: string): Explanation {
  const mark = property(error, "mark");
  const reason = property(error, "reason");
  const line = property(mark, "line");
  const column = property(mark, "column");
  if (typeof line !== "number" || typeof column !== "number") return { message };
  return { message: typeof reason === "string" ? reason : message, line: line + 1, column: column + 1 };
}

function explainMissing(message: string, file: string): Explanation {
  const [, name] = /Cannot find package '([^']+)'/.exec(message) ?? [];
  if (name === undefined) return { message };
  return {
    message: `the package ${name} is not installed for ${file}`,
    hint: `install it: npm install -D ${name}`,
  };
}

/** Node puts place, source and caret in front of some syntax errors' stacks, and prints them for the rest. */
function explainSyntax(error: unknown, message: string, file: string, content: string): Explanation {
  const stack = property(error, "stack");
  const framed = readFrame(typeof stack === "string" ? stack : "", file) ?? checkSyntax(file, content);
  const enumLike = property(error, "code") === "ERR_UNSUPPORTED_TYPESCRIPT_SYNTAX";
  const decorated = framed?.source?.trimStart().startsWith("@") === true;
  const hint = enumLike
    ? "Node only strips types: write a union of literals or a const object instead of an enum or namespace"
    : decorated
      ? "Node does not run decorators; call the function instead"
      : undefined;
  const { line, frame, file: at } = framed ?? {};
  return {
    message,
    ...(line === undefined ? {} : { line }),
    ...(frame === undefined ? {} : { frame }),
    ...(at === undefined ? {} : { file: at }),
    ...(hint === undefined ? {} : { hint }),
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

/** The named line and the one before it, with a caret under the column. */
function frameOf(content: string, line: number, column: number | undefined): string | undefined {
  const lines = content.split("\n");
  const source = lines[line - 1];
  if (source === undefined) return undefined;
  const above = line > 1 ? [lines[line - 2] ?? ""] : [];
  const caret = column === undefined ? [] : [`${source.slice(0, column - 1).replaceAll(/[^\t]/g, " ")}^`];
  return [...above, source, ...caret].map((one) => one.slice(0, 200)).join("\n");
}

function property(value: unknown, name: string): unknown {
  return typeof value === "object" && value !== null ? (Reflect.get(value, name) as unknown) : undefined;
}
