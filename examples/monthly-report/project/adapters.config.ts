import { aiSdkPlugin, toAiSdkTools } from "@toycoder/interop/ai-sdk";
import { langChainPlugin, toLangChainTools } from "@toycoder/interop/langchain";
import { defineConfig } from "toycoder";
import { innerSession } from "./inner-session.ts";
import main, { office, reporting } from "./toycoder.config.ts";

const reportingSession = innerSession(reporting);
const officeSession = innerSession(office);

/** The same plugins and task, but each tool has become one of the AI SDK or of LangChain, and then ours again. */
export default defineConfig({
  model: "auto",
  plugins: [
    aiSdkPlugin({
      name: "ai-sdk-reporting",
      tools: async (ctx) => toAiSdkTools(await reportingSession.open(ctx)),
      levels: { "*_database": "safe", "read_*": "safe", "list_*": "safe" },
      dispose: reportingSession.close,
    }),
    langChainPlugin({
      name: "langchain-office",
      tools: async (ctx) => toLangChainTools(await officeSession.open(ctx)),
      levels: { calculate: "safe" },
      dispose: officeSession.close,
    }),
  ],
  // Names and levels are all that this policy sees: the rules for paths and hosts hold in the sessions inside.
  permissions: {
    allow: ["generate_report", "write_file"],
    deny: ["send_email"],
    tests: [
      ["query_database", { sql: "select 1" }, "allow"],
      ["edit_file", { path: "reports/2026-04.md", old_string: "a", new_string: "b" }, "ask"],
      ["send_email", { to: ["sales@example.com"], subject: "Sales", text: "…" }, "deny"],
    ],
  },
  instructions: main.instructions,
});
