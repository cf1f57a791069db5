import { mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { onTestFinished } from "vitest";
import { type Effect, resolveEffects } from "../permission/effect.ts";
import { type Decision, evaluate } from "../permission/evaluate.ts";
import type { ToolFacts } from "../permission/match.ts";
import { createPolicy, type PolicyOptions } from "../permission/policy.ts";
import { createWorkspace } from "../permission/workspace.ts";

/** A workspace that goes when the test ends. */
function makeRoot(): string {
  const base = realpathSync(mkdtempSync(path.join(tmpdir(), "toycoder-evaluate-")));
  onTestFinished(() => rmSync(base, { recursive: true }));
  const root = path.join(base, "w");
  mkdirSync(path.join(root, "src"), { recursive: true });
  writeFileSync(path.join(root, ".env"), "KEY=1");
  symlinkSync(".env", path.join(root, "harmless.txt"));
  symlinkSync("../outside", path.join(root, "link"));
  symlinkSync(".git", path.join(root, "gitlink"));
  mkdirSync(path.join(root, ".git"));
  return root;
}

const TOOLS: Record<string, ToolFacts> = {
  read_file: { name: "read_file", permission: "safe", category: "file_io", plugin: "files" },
  write_file: { name: "write_file", permission: "sensitive", category: "file_io", plugin: "files" },
  run_command: { name: "run_command", permission: "dangerous", category: "execution", plugin: "shell" },
  plain: { name: "plain", permission: "sensitive", category: "utility" },
  gh__search: { name: "gh__search", permission: "sensitive", category: "utility", mcp: "github/search_code" },
};

export const read = (path: string, more = {}): Effect => ({ kind: "read", path, ...more });
export const write = (path: string, more = {}): Effect => ({ kind: "write", path, ...more });
export const exec = (command: string): Effect => ({ kind: "exec", argv: command.split(" ") });
export const opaque: Effect = {
  kind: "exec",
  argv: ["git status && rm -rf x"],
  opaque: true,
  reason: "several commands",
};

/** Decides a call in a workspace of its own: with links, a `.env` and a `.git`. */
export function decide(
  tool: string,
  effects: readonly Effect[],
  policy: Omit<PolicyOptions, "root"> = {},
  more: { enabled?: boolean; approvals?: readonly string[] } = {},
): Decision {
  const root = makeRoot();
  const workspace = createWorkspace({ root });
  return evaluate(createPolicy({ root, ...policy }), {
    tool: TOOLS[tool] ?? { name: tool, permission: "safe", category: "utility" },
    enabled: more.enabled ?? true,
    effects: resolveEffects(effects, workspace.resolve),
    approvals: createPolicy({ root, allow: more.approvals ?? [] }).allow,
  });
}
