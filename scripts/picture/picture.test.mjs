import { readFileSync } from "node:fs";
import path from "node:path";
import { stripVTControlCharacters } from "node:util";
import { expect, test } from "vitest";
import { ansiToSvg } from "./ansi-to-svg.mjs";
import { recordRun } from "./record-run.mjs";
import { pictureOf } from "./write.mjs";

const PICTURE = path.resolve(import.meta.dirname, "../../docs/images/run.svg");

/**
 * The lines of a picture, without what differs from run to run: ids, durations, which of two calls ended first, and
 * what is told of a command that runs for more than ten seconds.
 */
const linesOf = (svg) =>
  svg
    .replaceAll(/<[^>]*>/g, "")
    .replaceAll("\u00a0", " ")
    .replaceAll(/\d{8}-\d{6}-[\da-f]{6}/g, "ID")
    .replaceAll(/\d+(?:\.\d+)? m?s\b/g, "TIME")
    .replaceAll(/\d+ tokens in/g, "N tokens in")
    .split("\n")
    .filter((line) => !/^ *… /.test(line))
    .sort();

test("a picture has each text in its place, with its colours", () => {
  const svg = ansiToSvg("\u001b[1ma\u001b[22m \u001b[31m<b  c\u001b[39m\n\nlong line", {
    columns: 8,
    title: "t",
  });
  expect(linesOf(svg).filter(Boolean)).toEqual(["a&lt;b  c", "line", "long", "t"]);
  expect(svg).toContain('font-weight="bold">a<');
  expect(svg).toContain('x="34.8"');
  expect(() => ansiToSvg("\u001b[5mx", { columns: 9, title: "t" })).toThrow("the code 5");
});

test("docs/images/run.svg is what a run looks like (else: npm run picture)", () => {
  const output = recordRun();
  expect(stripVTControlCharacters(output)).toMatch(/echo \$\?\n0\n$/);
  expect(linesOf(readFileSync(PICTURE, "utf8"))).toEqual(linesOf(pictureOf(output)));
}, 60_000);
