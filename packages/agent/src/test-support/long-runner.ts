// Run as a program with --expose-gc: `long-runner.ts FOLDER TURNS`. A run of that many turns, kept on disk as the
// command does it; tells what memory held and how long turns took, in parts of 200 turns.
import process from "node:process";
import {
  createPolicy,
  createSession,
  createWorkspace,
  defineTool,
  type Model,
  NO_USAGE,
  ToolRegistry,
} from "@toycoder/core";
import { z } from "zod";
import { ChangeLog } from "../change-log.ts";
import { runAgent } from "../run-agent.ts";
import { SessionFolder } from "../session-folder.ts";

const [root = "", turns = ""] = process.argv.slice(2);
const PART = 200;

const step = defineTool({
  name: "step",
  description: "Changes a file in memory.",
  input: z.object({ n: z.number() }),
  execute: ({ n }, ctx) => {
    const bytes = (count: number): Uint8Array => Buffer.from(`line ${count}\n`.repeat(100));
    ctx.recordChange({ path: ctx.resolve(`f${n % 10}.txt`), before: bytes(n - 1), after: bytes(n) });
    return "done ".repeat(20);
  },
});

const parts: { megabytes: number; turnMs: number }[] = [];
let times: number[] = [];
let last = performance.now();
let turn = 0;
const model: Model = {
  id: "test:long",
  async *stream() {
    const now = performance.now();
    times.push(now - last);
    if (++turn % PART === 0) {
      globalThis.gc?.();
      const turnMs = times.toSorted((a, b) => a - b)[times.length >> 1] ?? 0;
      parts.push({ megabytes: process.memoryUsage().heapUsed / 1024 ** 2, turnMs });
      times = [];
    }
    last = performance.now();
    const call = { id: `call_${turn}`, name: "step", arguments: { n: turn } };
    if (turn < Number(turns)) yield { type: "tool_call", call };
    else yield { type: "text", text: "Done." };
    yield { type: "usage", usage: { ...NO_USAGE, inputTokens: 10 } };
    yield await Promise.resolve({ type: "finish", reason: turn < Number(turns) ? "tool_calls" : "stop" });
  },
};

const folder = SessionFolder.create(root, "long");
const changes = new ChangeLog(folder.folder);
const registry = new ToolRegistry();
registry.register(step);
const session = createSession({
  registry,
  workspace: createWorkspace({ root }),
  policy: createPolicy({ root }),
  onChange: (change) => changes.record(change),
});
const limits = { turns: Number(turns) + 1 };
let status = "";
for await (const event of runAgent({ model, session, task: "Go on.", instructions: "", limits, changes })) {
  folder.append(event);
  if (event.type === "result") status = event.result.status;
}
folder.close();
process.stdout.write(JSON.stringify({ status, parts }));
