import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { tempWorkspace } from "@toycoder/testing";
import { expect, it } from "vitest";
import { runScript } from "../test-support/run-script.ts";

const ROOT = new URL("../../../../", import.meta.url);
const EXAMPLE = fileURLToPath(new URL("examples/fix-failing-test", ROOT));
const DOCUMENT = readFileSync(new URL("docs/getting-started.md", ROOT), "utf8");

const blocks = (language: string): string[] =>
  [...DOCUMENT.matchAll(new RegExp(`^\`\`\`${language}\\n([^]*?)^\`\`\``, "gm"))].map(
    ([, text = ""]) => text,
  );

it("docs/getting-started.md can be followed word for word", async () => {
  const [install = "", ...steps] = blocks("sh");
  // The one step that needs a network: the built command and the example of this repository stand in for it.
  expect(install).toMatch(/^npm install --global toycoder\ngit clone \S+\nexport EXAMPLE=/);
  using folder = tempWorkspace();
  const script = [`export EXAMPLE='${EXAMPLE}'`, "set -e", ...steps].join("\n");
  const { code, stdout, stderr } = await runScript(script, folder);
  expect({ code, stderr }).toMatchObject({ code: 0 });
  for (const said of [
    "It fails, as it should.",
    "import { defineConfig }",
    "restored src/total.js",
    "As it was before.",
  ])
    expect(stdout + stderr).toContain(said);
  // What the document says is printed.
  const shown = blocks("text").flatMap((text) => text.trimEnd().split("\n"));
  expect(shown.length).toBeGreaterThan(5);
  for (const line of shown) expect(stdout + stderr).toContain(line.replace("/tmp", folder.root));
}, 60_000);
