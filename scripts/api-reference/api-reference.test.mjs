import { globSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { expect, test } from "vitest";
import { exportsOf } from "./declarations.mjs";
import { pagesOf, readPackages, undescribed } from "./pages.mjs";
import { writePages } from "./write.mjs";

const committed = path.resolve(import.meta.dirname, "../../docs/api");
const packages = readPackages(path.resolve(import.meta.dirname, "../.."));

function inFolder(use) {
  const folder = mkdtempSync(path.join(tmpdir(), "api-reference-"));
  try {
    return use(folder);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

test("exports are followed to their declarations, with what is said of them", () => {
  inFolder((folder) => {
    const write = (name, text) => writeFileSync(path.join(folder, name), text);
    mkdirSync(path.join(folder, "deep"));
    write(
      "deep/a.ts",
      "/** Adds {@link One}. */\nexport function add(a: One): number {\n  return a;\n}\ntype One = number;\n",
    );
    write(
      "b.ts",
      'export { add as plus } from "./deep/a.ts";\nexport class Box {\n  #x = 1;\n  get(): number {\n    return this.#x;\n  }\n}\n',
    );
    write("index.ts", 'export { Box, plus } from "./b.ts";\nexport type { Else } from "elsewhere";\n');
    expect(exportsOf(path.join(folder, "index.ts"))).toEqual([
      { name: "Box", kind: "class", doc: "", text: "class Box {\n  get(): number;\n}" },
      { name: "plus", kind: "function", doc: "Adds `One`.", text: "function add(a: One): number;" },
      { name: "Else", from: "elsewhere" },
    ]);
  });
});

test("every export says what it is", () => {
  expect(packages.length).toBeGreaterThan(10);
  expect(undescribed(packages)).toEqual([]);
});

test("docs/api is what the sources say (else: npm run api)", () => {
  inFolder((folder) => {
    const made = path.join(folder, "api");
    writePages(made, packages);
    const read = (from) =>
      Object.fromEntries(
        globSync("*.md", { cwd: from })
          .sort()
          .map((file) => [file, readFileSync(path.join(from, file), "utf8")]),
      );
    expect(read(committed)).toEqual(read(made));
  });
}, 30_000);

test("a page leads to the types that it names, in other packages too", () => {
  const page = pagesOf(packages).get("agent.md") ?? "";
  expect(page).toMatch(/^With .*\[`ErrorInfo`\]\(core\.md#errorinfo-1\)/m);
});
