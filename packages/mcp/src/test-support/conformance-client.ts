// What the conformance suite runs as a client: `node conformance-client.ts URL`, the scenario's name in the
// environment. Connects, calls each tool once, and answers questions with "answer" and nothing else.
import { openServers } from "./open-servers.ts";

const url = process.argv.at(-1) ?? "";
const ARGUMENTS: Readonly<Record<string, object>> = { suite__add_numbers: { a: 5, b: 3 } };
const question = async (text: string): Promise<string> => (text.startsWith("The MCP server") ? "answer" : "");

const opened = await openServers({ suite: { url } }, { ask: { question } });
try {
  const [report] = opened.servers.reports();
  if (report?.error) throw new Error(report.error.message);
  for (const { name } of report?.tools ?? []) await opened.say(name, ARGUMENTS[name]);
} finally {
  await opened[Symbol.asyncDispose]();
}
