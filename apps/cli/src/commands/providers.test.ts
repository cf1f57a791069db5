import type { RunResult } from "@toycoder/agent";
import { tempWorkspace } from "@toycoder/testing";
import { describe, expect, it } from "vitest";
import type { Answer } from "../test-support/answer.ts";
import { modelServer } from "../test-support/model-server.ts";
import { type Finished, runToycoder } from "../test-support/run-toycoder.ts";

const TASK: readonly Answer[] = [
  {
    text: "I look around.",
    calls: [
      { name: "read_file", arguments: { path: "a.txt" } },
      { name: "grep_search", arguments: { pattern: "two" } },
    ],
  },
  { calls: [{ name: "edit_file", arguments: { path: "a.txt", old_string: "two", new_string: "zwei „2“" } }] },
  { calls: [{ name: "write_file", arguments: { path: "sub/b.txt", content: "new\n" } }] },
  { text: "Done: 完了." },
];

const APIS = [
  ["openai:m", "OPENAI"],
  ["openai-chat:m", "OPENAI"],
  ["openai-compatible:m", "OPENAI"],
  ["anthropic:m", "ANTHROPIC"],
] as const;

async function run(
  model: string,
  url: string,
  cwd: string,
  more: readonly string[] = [],
): Promise<Finished & { result: RunResult }> {
  const anthropic = model.startsWith("anthropic");
  const base = anthropic ? url : `${url}/v1`;
  const args = [
    "run",
    "Do it.",
    "--model",
    model,
    "--base-url",
    base,
    "--allow",
    "plugin:files",
    "--output",
    "json",
    ...more,
  ];
  const env = { OPENAI_API_KEY: "sk-test-123", ANTHROPIC_API_KEY: "sk-ant-123" };
  const finished = await runToycoder(args, { cwd, env });
  return { ...finished, result: JSON.parse(finished.stdout) as RunResult };
}

describe.each(APIS)("%s", (model) => {
  it.each([
    ["SSE", false],
    ["plain JSON", true],
  ])("does the task over %s", async (_, plainJson) => {
    await using server = await modelServer(TASK, { plainJson });
    using folder = tempWorkspace({ "a.txt": "one\ntwo\nthree\n" });
    const { code, result, stderr } = await run(model, server.url, folder.root);
    expect({ code, error: result.error, stderr }).toMatchObject({ code: 0, error: null });
    expect(result).toMatchObject({
      status: "completed",
      text: "Done: 完了.",
      turns: 4,
      toolCalls: 4,
      usage: { inputTokens: 400, outputTokens: 40 },
      changes: [
        { path: "a.txt", kind: "modified", additions: 1, deletions: 1 },
        { path: "sub/b.txt", kind: "created", additions: 1, deletions: 0 },
      ],
    });
    expect(folder.read("a.txt")).toBe("one\nzwei „2“\nthree\n");
    expect(server.requests).toHaveLength(4);
  });

  it("ends a 401 with exit 4 in one request, the key unseen", async () => {
    await using server = await modelServer(TASK, { status: 401 });
    using folder = tempWorkspace();
    const { code, result, stdout, stderr } = await run(model, server.url, folder.root);
    expect({ code, status: result.status, error: result.error?.code }).toEqual({
      code: 4,
      status: "provider_error",
      error: "auth",
    });
    expect(server.requests).toHaveLength(1);
    expect(stdout + stderr).not.toContain("sk-");
  });
});
