// One measurement in a process of its own: `child.ts read|edit FILE OFFSET`. Prints one line of JSON.
import { writeFileSync } from "node:fs";
import path from "node:path";
import process from "node:process";
import {
  createPolicy,
  createSession,
  createWorkspace,
  dispatch,
  type Session,
  textOf,
  ToolRegistry,
} from "@toycoder/core";
import { editFile, readFile } from "@toycoder/plugin-files";

const [kind = "", file = "", offset = "1"] = process.argv.slice(2);
const root = path.dirname(file);

function openSession(): Session {
  const registry = new ToolRegistry();
  registry.registerMany([readFile, editFile]);
  const workspace = createWorkspace({ root });
  const policy = createPolicy({ root: workspace.root, levels: { sensitive: "allow" } });
  return createSession({ registry, policy, workspace });
}

async function call(session: Session, name: string, args: Record<string, unknown>): Promise<number> {
  const started = performance.now();
  const result = await dispatch({ id: "call", name, arguments: args }, session);
  const elapsed = performance.now() - started;
  if (!result.ok) throw new Error(textOf(result.content));
  return elapsed;
}

/** The most memory that the process has had, in MB. */
const peak = (): number => process.resourceUsage().maxRSS / 1024;

writeFileSync(path.join(root, "small.txt"), "a small file\n");
const session = openSession();
// Idle: everything is loaded and has run once, on a small file.
await call(session, "read_file", { path: "small.txt" });
await call(session, "edit_file", { path: "small.txt", old_string: "small", new_string: "Small" });
const idle = peak();
const name = path.basename(file);
const ms: number[] = [];
if (kind === "read") {
  for (const back of [0, 1000]) {
    ms.push(await call(session, "read_file", { path: name, offset: Number(offset) - back, limit: 100 }));
  }
} else {
  ms.push(
    await call(session, "edit_file", { path: name, old_string: `line ${offset} `, new_string: "LINE " }),
  );
}
console.log(JSON.stringify({ ms, idle, peak: peak() }));
