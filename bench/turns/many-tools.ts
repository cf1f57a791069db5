import { writeFileSync } from "node:fs";
import path from "node:path";

const BUILT_IN = 8;

/** Gives a workspace a config with so many tools in all: the built-in ones, and a local plugin's. */
export function addTools(root: string, tools: number): void {
  const config = { plugins: ["files", "search", "shell", "question", "./many-tools.mjs"] };
  writeFileSync(path.join(root, "toycoder.config.ts"), `export default ${JSON.stringify(config)};\n`);
  writeFileSync(
    path.join(root, "many-tools.mjs"),
    `import { definePlugin, defineTool, jsonSchema } from "@toycoder/core";
const text = (description) => ({ type: "string", description });
const tool = (number) => defineTool({
  name: \`report_\${number}\`,
  description: \`Write report number \${number} about a part of the project; returns its text.\`,
  input: jsonSchema({
    type: "object",
    properties: { part: text("The part's name"), since: text("A day, as in 2026-11-30"), limit: { type: "integer" } },
    required: ["part"],
    additionalProperties: false,
  }),
  execute: () => "nothing to report",
});
export default definePlugin({
  name: "many-tools", version: "1.0.0", api: 1,
  setup: () => ({ tools: Array.from({ length: ${tools - BUILT_IN} }, (_, number) => tool(number)) }),
});
`,
  );
}
