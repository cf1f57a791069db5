import { readFileSync } from "node:fs";

/** The statements of a fixture, one a line; `⏎` stands for a line's end. */
export const hostileStatements = (name: string): string[] =>
  readFileSync(new URL(`../../fixtures/${name}.sql`, import.meta.url), "utf8")
    .trim()
    .split("\n")
    .map((line) => line.replaceAll("⏎", "\n"));
