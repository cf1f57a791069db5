import { existsSync, globSync, readFileSync, statSync } from "node:fs";
import path from "node:path";
import { expect, test } from "vitest";
import { documents, root } from "./documents.mjs";
import { readMarkdown } from "./markdown.mjs";

const all = documents();
const own = "https://github.com/toycoder/toycoder/";

/** What is wrong with a link of a document; undefined for a good one. */
function problemOf(href, file) {
  const path_ = href.startsWith(own)
    ? /^(?:blob|tree)\/main\/(.*)$/.exec(href.slice(own.length))?.[1]
    : undefined;
  if (path_ !== undefined) return problemOf(path.relative(path.dirname(file), path_), file);
  if (/^[a-z]+:/i.test(href)) return externalProblem(href);
  const [target = "", anchor] = decodeURI(href).split("#");
  const place = path.normalize(target === "" ? file : path.join(path.dirname(file), target));
  if (place.startsWith("..") || !existsSync(path.join(root, place))) return `there is no ${place}`;
  if (anchor === undefined) return undefined;
  const document = all.find((one) => one.file === place);
  if (document === undefined) return `${place} has no anchors that can be checked`;
  return document.anchors.has(anchor) ? undefined : `${place} has no heading #${anchor}`;
}

function externalProblem(href) {
  if (!URL.canParse(href)) return "not an address";
  const { protocol, hostname } = new URL(href);
  if (protocol !== "https:" && protocol !== "mailto:") return `${protocol} instead of https:`;
  return hostname.includes(".") || protocol === "mailto:" ? undefined : `${hostname} is no public host`;
}

test("links, anchors and images are found, in tables and HTML too", () => {
  const text = '# A `b` & c\n\n## A\n\n| x |\n| - |\n| [y](z.md#q) |\n\n<img src="p.svg">\n\n- ![i](j.png)\n';
  const { links, anchors } = readMarkdown(text);
  expect(links.map(({ href, line }) => `${line} ${href}`)).toEqual(["7 z.md#q", "9 p.svg", "11 j.png"]);
  expect([...anchors]).toEqual(["a-b--c", "a"]);
});

test("the check does find faults", () => {
  expect(problemOf("no-such.md", "README.md")).toBe("there is no no-such.md");
  expect(problemOf("docs/ci.md#no-such", "README.md")).toBe("docs/ci.md has no heading #no-such");
  expect(problemOf(`${own}blob/main/gone.md`, "docs/ci.md")).toBe("there is no gone.md");
  expect(problemOf("http://example.com", "README.md")).toContain("instead of https:");
});

test("every link of the documentation leads somewhere", () => {
  expect(all.length).toBeGreaterThan(30);
  const problems = all.flatMap(({ file, links }) =>
    links.flatMap(({ href, line }) => {
      const problem = problemOf(href, file);
      return problem === undefined ? [] : [`${file}:${line}: ${href}: ${problem}`];
    }),
  );
  expect(problems).toEqual([]);
});

test("every document that a message or a comment of the sources names is there", () => {
  const sources = globSync("{packages,apps}/*/src/**/!(*.test).ts", { cwd: root });
  const named = sources.flatMap((file) =>
    [
      ...readFileSync(path.join(root, file), "utf8").matchAll(/(?<![\w/]|toolkit, `)docs\/[\w/-]+\.md\b/g),
    ].map(([page]) => ({
      file,
      page,
    })),
  );
  expect(named.length).toBeGreaterThan(5);
  expect(named.filter(({ page }) => !all.some(({ file }) => file === page))).toEqual([]);
});

test("the picture of the layers has every package", () => {
  const picture = readFileSync(path.join(root, "docs/images/architecture.svg"), "utf8");
  const packages = globSync("packages/*/package.json", { cwd: root }).map((file) => file.split(path.sep)[1]);
  expect(packages.filter((name) => !new RegExp(`>(?:[^<]* )?${name}\\b`).test(picture))).toEqual([]);
});

test("every page of docs is reached from its index, and every guide is named there", () => {
  const index = "docs/README.md";
  const linked = (file) =>
    (all.find((one) => one.file === file)?.links ?? [])
      .filter(({ href }) => !/^[a-z]+:/i.test(href))
      .map(({ href }) => path.normalize(path.join(path.dirname(file), href.split("#")[0])))
      .map((place) =>
        existsSync(path.join(root, place)) && statSync(path.join(root, place)).isDirectory()
          ? path.join(place, "README.md")
          : place,
      );
  const reached = new Set([index]);
  for (const file of reached)
    for (const next of linked(file)) if (next.startsWith("docs/")) reached.add(next);
  const pages = all.map(({ file }) => file).filter((file) => file.startsWith("docs/"));
  expect(pages.filter((file) => !reached.has(file))).toEqual([]);
  const guides = pages.filter((file) => path.dirname(file) === "docs" && file !== index);
  expect(guides.filter((file) => !linked(index).includes(file))).toEqual([]);
  expect(linked("README.md")).toContain(index);
});
