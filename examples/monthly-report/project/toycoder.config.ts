import type { Plugin } from "@toycoder/core";
import { databasePlugin } from "@toycoder/plugin-database";
import { filesPlugin } from "@toycoder/plugin-files";
import { defineConfig } from "toycoder";
import { calculatorPlugin } from "toycoder-plugin-calculator";
import { emailPlugin } from "toycoder-plugin-email";
import { reportPlugin } from "toycoder-plugin-report";

/** What reads the database and writes the report. */
export const reporting: Plugin[] = [
  filesPlugin(),
  databasePlugin({ connections: { sales: { type: "sqlite", path: "data/sales.db" } } }),
  reportPlugin(),
];

/** What computes, and what tells others. */
export const office: Plugin[] = [
  calculatorPlugin(),
  emailPlugin({
    host: "127.0.0.1",
    port: Number(process.env["MAIL_PORT"] ?? 2525),
    tls: "none",
    from: "Reports <reports@example.com>",
    recipients: ["*@example.com"],
  }),
];

export const rules: { allow: string[]; deny: string[] } = {
  // Reports go into their folder. Whatever else wants to write is asked about, and with nobody there it is refused.
  allow: ["generate_report(reports/**)", "write_file(reports/**)"],
  // A job that nobody watches tells nobody: mail is for whoever has read the report.
  deny: ["net:*"],
};

export default defineConfig({
  model: "auto",
  plugins: [reporting, office],
  permissions: {
    ...rules,
    tests: [
      ["query_database", { sql: "select 1" }, "allow"],
      ["calculate", { expression: "1 + 1" }, "allow"],
      ["write_file", { path: "reports/2026-04.md", content: "" }, "allow"],
      ["write_file", { path: "data/sales.sql", content: "" }, "ask"],
      ["send_email", { to: ["sales@example.com"], subject: "Sales", text: "…" }, "deny"],
    ],
  },
  instructions:
    "Take numbers from the database and from calculate alone. Amounts are in cents there, in euros in a report.",
});
