import { mkdirSync, readFileSync, symlinkSync } from "node:fs";
import {
  createPolicy,
  createSession,
  createWorkspace,
  judge,
  type PolicyOptions,
  type Tool,
  ToolRegistry,
} from "@toycoder/core";
import { tempWorkspace } from "@toycoder/testing";
import { afterAll, beforeAll, expect, test } from "vitest";
import { createRunCommand } from "./run-command.ts";

interface Row {
  command: string;
  policy: Omit<PolicyOptions, "root">;
  decision: "allow" | "ask" | "deny";
  note?: string;
}

const rows = readFileSync(new URL("../fixtures/decisions.jsonl", import.meta.url), "utf8")
  .trim()
  .split("\n")
  .map((line) => JSON.parse(line) as Row);

const folder = tempWorkspace({
  "outside/secret": "",
  "home/.ssh/id_rsa": "",
  "work/.env": "KEY=1",
  "work/README.md": "",
  "work/src/a.ts": "",
  "work/src/b.ts": "",
  "work/sub/x.sh": "",
  "work/out/a": "",
  "work/.git/config": "",
  "work/toycoder.config.ts": "",
});
const home = process.env.HOME;

beforeAll(() => {
  mkdirSync(folder.path("work/a"));
  symlinkSync("../outside", folder.path("work/link"));
  symlinkSync(".git", folder.path("work/gitlink"));
  process.env.HOME = folder.path("home");
});

afterAll(() => {
  process.env.HOME = home;
  folder.dispose();
});

const tool = createRunCommand({ timeoutSeconds: 30, maxOutputBytes: 1 << 20 }) as Tool;

async function decide({ command, policy }: Row): Promise<string> {
  const registry = new ToolRegistry();
  registry.register(tool);
  const workspace = createWorkspace({ root: folder.path("work") });
  const session = createSession({
    registry,
    policy: createPolicy({ root: workspace.root, ...policy }),
    workspace,
    enable: ["run_command"],
  });
  const { decision } = await judge(session, tool, { command, workdir: ".", timeout: 30 });
  session.dispose();
  return decision.decision;
}

test("there are enough rows, none of them twice", () => {
  expect(rows.length).toBeGreaterThanOrEqual(300);
  const keys = rows.map(({ command, policy }) => JSON.stringify([command, policy]));
  expect(new Set(keys).size).toBe(rows.length);
});

test.each(
  rows.map((row, index) => ({ ...row, line: index + 1, shown: JSON.stringify(row.command).slice(0, 100) })),
)("line $line: $shown is $decision", async (row) => {
  const { command, policy, decision } = row;
  const answer = { command, policy, decision: await decide(row) };
  expect(answer).toEqual({ command, policy, decision });
});
