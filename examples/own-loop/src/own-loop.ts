import { readFile } from "node:fs/promises";
import * as toycoder from "@toycoder/core";
import { z } from "zod";
import { complete, type Message } from "./complete.ts";

const registry = new toycoder.ToolRegistry();
const readNote = toycoder.defineTool({
  name: "read_note",
  description: "Read a note of this folder. Returns its text.",
  input: z.object({ path: z.string().describe("the file, for instance calls.txt") }),
  effects: ({ path }) => [{ kind: "read", path }],
  execute: ({ path }, ctx) => readFile(ctx.resolve(path).real, "utf8"),
});
registry.register(readNote);
const workspace = toycoder.createWorkspace({ root: "." });
const policy = toycoder.createPolicy({ root: workspace.root, deny: ["read:.env*"] });
const session = toycoder.createSession({ registry, workspace, policy });

const messages: Message[] = [{ role: "user", content: process.argv[2] ?? "Which notes are there?" }];
for (;;) {
  const answer = await complete(messages, session.tools());
  messages.push(answer);
  const calls = (answer.tool_calls ?? []).map(({ id, function: fn }) => ({ id, ...fn }));
  if (calls.length === 0) break;
  for (const [index, { content }] of (await toycoder.dispatchAll(calls, session)).entries()) {
    messages.push({ role: "tool", tool_call_id: calls[index]?.id, content: toycoder.textOf(content) });
  }
}
console.log(messages.at(-1)?.content);
