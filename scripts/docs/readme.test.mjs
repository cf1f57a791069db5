import { execFileSync } from "node:child_process";
import { cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { expect, test } from "vitest";
import { documents, root } from "./documents.mjs";

const all = documents();
const english = all.find(({ file }) => file === "README.md");
const chinese = all.find(({ file }) => file === "README.zh-CN.md");
const [config, plugin] = english.blocks.filter(({ language }) => language === "ts");

/** Runs the built command in a folder that is gone afterwards, and gives its stdout. */
function toycoder(fill, ...args) {
  const folder = mkdtempSync(path.join(tmpdir(), "toycoder-readme-"));
  try {
    fill(folder);
    return execFileSync(process.execPath, [path.join(root, "apps/cli/dist/bin.js"), ...args], {
      cwd: folder,
      encoding: "utf8",
      env: { PATH: process.env.PATH, HOME: folder, TOYCODER_STATE_DIR: path.join(folder, ".state") },
    });
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

test.each([
  ["README.md", (folder) => writeFileSync(path.join(folder, "toycoder.config.ts"), config.code)],
  [
    "examples/fix-failing-test",
    (folder) => cpSync(path.join(root, "examples/fix-failing-test/project"), folder, { recursive: true }),
  ],
])("the policy tests of the config in %s hold", (_, fill) => {
  const { policyTests } = JSON.parse(toycoder(fill, "check", "--json"));
  expect(policyTests.failed).toEqual([]);
  expect(policyTests.passed).toBeGreaterThanOrEqual(3);
});

test("the plugin of 20 lines has no more, and works", () => {
  expect(plugin.code.trim().split("\n").length).toBeLessThanOrEqual(20);
  const fill = (folder) => {
    mkdirSync(path.join(folder, "tools"));
    mkdirSync(path.join(folder, "node_modules"));
    symlinkSync(path.join(root, "packages/core/node_modules/zod"), path.join(folder, "node_modules/zod"));
    writeFileSync(path.join(folder, "tools/words.ts"), plugin.code);
    writeFileSync(path.join(folder, "a.txt"), "three words here\n");
    writeFileSync(path.join(folder, ".toycoderrc.json"), '{ "plugins": ["files", "./tools/words.ts"] }');
  };
  const printed = toycoder(fill, "tools", "call", "count_words", '{"path":"a.txt"}');
  expect(printed).toBe("3\n");
});

/** The table against peers: the text of each cell, and where its links lead. */
const peers = english.tables.find(({ header }) => header.some(({ text }) => text === "Codex"));
const linksOf = ({ tokens }) => tokens.flatMap((token) => (token.type === "link" ? [token.href] : []));

const MEASURED = /^packages\/core\/README\.md#what-a-call-costs$|^docs\/performance\.md#beside-other-agents$/;

test("what the table claims of us, a test or a measurement shows; what of others, their documentation", () => {
  expect(peers.rows.length).toBeGreaterThan(4);
  for (const [claim, ours, ...others] of peers.rows) {
    const [shown, ...more] = linksOf(ours);
    expect([claim.text, shown, more]).toEqual([
      claim.text,
      expect.stringMatching(new RegExp(`\\.test\\.ts$|${MEASURED.source}`)),
      [],
    ]);
    for (const cell of others)
      if (cell.text !== "–" && !MEASURED.test(shown))
        expect([claim.text, cell.text, ...linksOf(cell)]).toEqual([
          claim.text,
          cell.text,
          expect.stringMatching(/^https:/),
        ]);
  }
});

test("the figures of the table are those that were measured", () => {
  const measured = readFileSync(path.join(root, "packages/core/README.md"), "utf8");
  const row = peers.rows.find(([claim]) => claim.text.startsWith("calls a second"));
  const figures = row.flatMap(({ text }) => text.match(/\d+,\d{3}/g) ?? []);
  expect(figures).toHaveLength(3);
  for (const figure of figures) expect(measured).toContain(` ${figure} `);
});

test("the figures beside other agents are those that were measured", () => {
  const { tables } = all.find(({ file }) => file === "docs/performance.md");
  const measured = tables.find(({ header }) => header.some(({ text }) => text === "first request"));
  const numbersOf = ({ text }) => text.match(/\d[\d.,]*/g) ?? [];
  const rows = peers.rows.filter(([, ours]) => linksOf(ours)[0]?.startsWith("docs/performance.md"));
  expect(rows).toHaveLength(2);
  for (const row of rows) {
    for (const [column, cell] of row.entries()) {
      if (column === 0 || cell.text === "–") continue;
      const name = peers.header[column].text;
      const found = measured.rows.find(([agent]) =>
        agent.text.replaceAll("*", "").toLowerCase().startsWith(name.toLowerCase()),
      );
      const figures = found.slice(1).flatMap(numbersOf);
      expect([name, numbersOf(cell).filter((one) => !figures.includes(one))]).toEqual([name, []]);
    }
  }
});

test("README.zh-CN.md has the same content", () => {
  const shapeOf = ({ headings, tables, items, blocks, links, codes }) => ({
    headings: headings.map(({ depth }) => depth),
    tables: tables.map(({ header, rows }) => [header.length, rows.length]),
    items,
    // Comments are translated, code is not.
    blocks: blocks.map(({ language, code }) => [language, code.replaceAll(/ *(?:#|\/\/) .*$/gm, "")]),
    links: links.map(({ href }) => href.replace("README.zh-CN.md", "README.md")).sort(),
    codes: codes.map(({ code }) => code).sort(),
  });
  expect(shapeOf(chinese)).toEqual(shapeOf(english));
});
