import { spawnSync } from "node:child_process";
import path from "node:path";
import { fileURLToPath } from "node:url";

/** A place in a source file, as Node shows it: the line, and a caret under the fault. */
export interface Frame {
  file: string;
  line: number;
  frame: string;
  source: string | undefined;
}

const PLACE = String.raw`^(\[stdin\]|file:\/\/\S+|\/\S.*|[A-Za-z]:\\.*):(\d+)\n`;
/** A fault within a line has carets below it, one of several lines has a `>` before the first and the last. */
const IN_A_LINE = new RegExp(String.raw`${PLACE}((?:.*\n)*?)(\s*\^+)`);
const ON_LINES = new RegExp(String.raw`${PLACE}((?: {2}[> ] .*\n)+)()\n`);

/** Reads `FILE:LINE\nsource…\n  ^\n` at the start of a text; a text from standard input stands for `file`. */
export function readFrame(text: string, file: string): Frame | undefined {
  const match = ON_LINES.exec(text) ?? IN_A_LINE.exec(text);
  if (match === null) return undefined;
  const [, where = "", line, above = "", caret = ""] = match;
  const at = where === "[stdin]" ? file : where.startsWith("file:") ? fileURLToPath(where) : where;
  const frame = `${above}${caret}`.trimEnd();
  return { file: at, line: Number(line), frame, source: above.split("\n").at(-2) };
}

/**
 * Where a module's syntax is wrong, for the errors that Node throws without a place: two short runs of Node that
 * take the types out and parse what is left. Nothing of the module runs. Undefined where nothing is wrong.
 */
export function checkSyntax(file: string, content: string): Frame | undefined {
  const typed = /\.[cm]?ts$/.test(file);
  const strip =
    "process.stdout.write(require('node:module').stripTypeScriptTypes(require('node:fs').readFileSync(0, 'utf8')))";
  const source = typed ? runNode(["--no-warnings", "-e", strip], content).stdout : content;
  const type = path.extname(file).startsWith(".c") ? "commonjs" : "module";
  return readFrame(runNode(["--check", `--input-type=${type}`, "-"], source).stderr, file);
}

function runNode(args: readonly string[], input: string): { stdout: string; stderr: string } {
  const { NODE_OPTIONS: _, ...env } = process.env;
  const { stdout, stderr } = spawnSync(process.execPath, args, {
    encoding: "utf8",
    env,
    input,
    timeout: 10_000,
  });
  return { stdout: stdout ?? "", stderr: stderr ?? "" };
}
