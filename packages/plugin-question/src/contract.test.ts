import { describePlugin, describeTool } from "@toycoder/testing";
import { describe, test } from "vitest";
import packageJson from "../package.json" with { type: "json" };
import { askUser } from "./ask-user.ts";
import { questionPlugin } from "./plugin.ts";

describeTool(
  {
    tool: askUser,
    ask: { question: async (question, options) => options[0] ?? `no idea: ${question}` },
    examples: [
      { input: { question: "Which port?" } },
      { input: { question: "Which port?", options: ["80", "8080"] } },
    ],
    wrong: [
      { input: { question: " " }, says: "question" },
      { input: { question: "Which port?", options: "80" }, says: "options" },
    ],
  },
  { describe, test },
);

describePlugin(
  { plugin: questionPlugin, manifest: packageJson, entry: import.meta.resolve("./index.ts") },
  { describe, test },
);
