import { spawnSync } from "node:child_process";
import { mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import path from "node:path";
import { expect, test } from "vitest";
import { documents, snippetsOf } from "./snippets.mjs";

const root = path.resolve(import.meta.dirname, "..");
// Inside the command's package, which may import every other.
const folder = path.join(root, "apps/cli/.snippets");

test("a document's TypeScript blocks are found with their lines", () => {
  const text = "# A\n\n```ts\nconst a = 1;\n```\n\n```sh\nls\n```\n\n```typescript\nb;\nc;\n```\n";
  expect(snippetsOf(text)).toEqual([
    { line: 4, code: "const a = 1;\n" },
    { line: 12, code: "b;\nc;\n" },
  ]);
});

test("every TypeScript block of the READMEs and docs is type-correct", () => {
  rmSync(folder, { recursive: true, force: true });
  mkdirSync(folder);
  try {
    let count = 0;
    for (const document of documents(root)) {
      for (const { line, code } of snippetsOf(readFileSync(path.join(root, document), "utf8"))) {
        const name = `${document.replaceAll(/[^\w]/g, "_")}_${line}.ts`;
        // A block is a module of its own, whatever it exports.
        writeFileSync(path.join(folder, name), `${code}\nexport {};\n`);
        count++;
      }
    }
    expect(count).toBeGreaterThan(5);
    const compilerOptions = {
      noEmit: true,
      composite: false,
      declaration: false,
      isolatedDeclarations: false,
      rewriteRelativeImportExtensions: false,
      allowImportingTsExtensions: true,
      rootDir: root,
    };
    const config = {
      extends: "../../../tsconfig.base.json",
      compilerOptions,
      include: ["*.ts"],
      exclude: [],
    };
    writeFileSync(path.join(folder, "tsconfig.json"), JSON.stringify(config));
    const { stdout } = spawnSync("tsc", ["-p", folder, "--pretty", "false"], {
      cwd: folder,
      encoding: "utf8",
    });
    expect(stdout).toBe("");
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}, 60_000);
