import path from "node:path";
import { SetupError } from "@toycoder/core";
import { frameOf } from "./frame-of.ts";
import { locateInCode } from "./locate-in-code.ts";
import { locateInYaml } from "./locate-in-yaml.ts";
import { FORMATS } from "./search-places.ts";
import { type ConfigProblem, pathOf } from "./shape.ts";

/** Where somebody may have written a secret in place of a variable's name: such lines are not shown. */
const SECRET = /(?:^|\.)(?:credentials|apiKey|headers|env|bearerToken)\b/;
const SECRET_LINE = /\b(?:credentials|apiKey|headers|env|bearerToken)["']?\s*:/;

/** 1-based. */
interface Position {
  line: number;
  column: number;
}

/** The error for what is wrong with a config's values: each with its line and column, where the source shows them. */
export function invalidConfig(
  file: string,
  problems: readonly ConfigProblem[],
  content?: string,
): SetupError {
  const located = problems.map((problem) => ({ ...problem, at: positionOf(file, problem.place, content) }));
  const [only] = located;
  if (located.length !== 1 || only === undefined) {
    const lines = located.map(
      ({ place, message, at }) =>
        `  ${at === undefined ? "" : `${at.line}:${at.column} `}${place}: ${message}`,
    );
    return new SetupError("config_invalid", `${file}:\n${lines.join("\n")}`);
  }
  const { place, message, at } = only;
  if (at === undefined || content === undefined)
    return new SetupError("config_invalid", `${file}: ${place}: ${message}`);
  const shown = frameOf(content, at.line, at.column);
  const frame = SECRET.test(place) || SECRET_LINE.test(shown ?? "") ? undefined : shown;
  return new SetupError(
    "config_invalid",
    `${file}:${at.line}:${at.column}: ${place}: ${message}${frame === undefined ? "" : `\n${frame}`}`,
  );
}

function positionOf(file: string, place: string, content: string | undefined): Position | undefined {
  if (content === undefined) return undefined;
  const yaml = FORMATS.get(path.extname(file)) === "yaml" && !content.trimStart().startsWith("{");
  const offset = (yaml ? locateInYaml : locateInCode)(content, pathOf(place));
  if (offset === undefined) return undefined;
  const before = content.slice(0, offset).split("\n");
  return { line: before.length, column: (before.at(-1)?.length ?? 0) + 1 };
}
