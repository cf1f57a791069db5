import { mkdirSync } from "node:fs";
import { tempWorkspace } from "@toycoder/testing";
import { describe, expect, it } from "vitest";
import { modelServer } from "../test-support/model-server.ts";
import { runToycoder } from "../test-support/run-toycoder.ts";

interface Request {
  messages: { role: string; content: string }[];
  tools: unknown[];
}

/** The requests of a run of two turns, and their system prompts. */
async function requestsOf(files: Record<string, string>, args: readonly string[] = [], folder = ".") {
  await using server = await modelServer([
    { calls: [{ name: "list_dir", arguments: {} }] },
    { text: "Done." },
  ]);
  using workspace = tempWorkspace(files);
  mkdirSync(workspace.path(folder), { recursive: true });
  const model = [
    "--model",
    "openai-compatible:m",
    "--base-url",
    `${server.url}/v1`,
    "--enable",
    "run_command",
  ];
  const ended = await runToycoder(["run", "Do it.", ...model, ...args], { cwd: workspace.path(folder) });
  expect(ended.code).toBe(0);
  const requests = server.requests as Request[];
  return { requests, prompts: requests.map(({ messages }) => messages[0]!.content), ended };
}

describe("the system prompt", () => {
  it("is the same at every turn, and with all built-in tools the first request is within 6 KB", async () => {
    const { requests, prompts } = await requestsOf({});
    expect(prompts).toHaveLength(2);
    expect(prompts[1]).toBe(prompts[0]);
    expect(requests[0]!.tools).toHaveLength(8);
    expect(Buffer.byteLength(JSON.stringify(requests[0]))).toBeLessThanOrEqual(6 * 1024);
  });

  it("holds AGENTS.md from the workspace down to the working folder, then the config's words", async () => {
    const files = {
      "AGENTS.md": "Use tabs.",
      "src/AGENTS.md": "Test everything.",
      "toycoder.config.json": '{ "instructions": "Be kind." }',
    };
    const { prompts } = await requestsOf(files, [], "src");
    expect(prompts[0]).toMatch(
      /# AGENTS\.md\n\nUse tabs\.\n\n# src\/AGENTS\.md\n\nTest everything\.\n\nBe kind\./,
    );
    const without = await requestsOf(files, ["--no-instructions"], "src");
    expect(without.prompts[0]).not.toContain("Use tabs.");
    expect(without.prompts[0]).toContain("Be kind.");
  });

  it("tells the policy and the sandbox, and a cut AGENTS.md is told to the person", async () => {
    const { prompts, ended } = await requestsOf({ "AGENTS.md": "x".repeat(40_000) }, [
      "--deny",
      "read:.env*",
    ]);
    expect(prompts[0]).toContain("Denied: read:.env*.");
    expect(prompts[0]).toContain("run_command has no sandbox.");
    expect(ended.stderr).toContain("AGENTS.md is cut: 32 KB of instructions are read at most");
  });
});
