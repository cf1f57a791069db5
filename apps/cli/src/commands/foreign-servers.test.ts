import { existsSync, readFileSync } from "node:fs";
import { createServer, type RequestListener } from "node:http";
import type { AddressInfo } from "node:net";
import { LLMock } from "@copilotkit/aimock";
import type { RunResult } from "@toycoder/agent";
import { tempWorkspace } from "@toycoder/testing";
import { MockServer } from "openai-mock-api";
import { describe, expect, it } from "vitest";
import { runToycoder } from "../test-support/run-toycoder.ts";

// Mock servers of other people: what they take for the APIs, not what we do.

const WRITE = { path: "notes/a.txt", content: "grüß dich\n„zwei“\n" };

/** A run whose one tool call is to write a file; what came of it. */
async function runAt(baseURL: string, model: string, key: string): Promise<object> {
  using folder = tempWorkspace();
  const args = ["run", "Write the file.", "--model", model, "--base-url", baseURL, "--output", "json"];
  const { code, stdout, stderr } = await runToycoder([...args, "--allow", "plugin:files"], {
    cwd: folder.root,
    env: { OPENAI_API_KEY: key, OPENAI_COMPATIBLE_API_KEY: key, ANTHROPIC_API_KEY: key },
  });
  const file = folder.path(WRITE.path);
  return {
    code,
    stderr,
    ...(JSON.parse(stdout) as RunResult),
    written: existsSync(file) && readFileSync(file, "utf8"),
  };
}

const WRITTEN = {
  code: 0,
  status: "completed",
  text: "It is written.",
  turns: 2,
  toolCalls: 1,
  changes: [{ path: WRITE.path, kind: "created" }],
  written: WRITE.content,
};

describe("@copilotkit/aimock", () => {
  it.each([
    ["openai:gpt-5.5", "/v1"],
    ["openai-chat:gpt-5.5", "/v1"],
    ["openai-compatible:gpt-5.5", "/v1"],
    ["anthropic:claude-sonnet-4-5", ""],
  ])("%s", async (model, path) => {
    const server = new LLMock({ port: 0, host: "127.0.0.1" });
    server.addFixture({
      match: { hasToolResult: false },
      response: {
        content: "I write it.",
        toolCalls: [{ name: "write_file", arguments: JSON.stringify(WRITE) }],
      },
    });
    server.addFixture({ match: { hasToolResult: true }, response: { content: "It is written." } });
    await server.start();
    try {
      expect(await runAt(`${server.url}${path}`, model, "sk-test")).toMatchObject(WRITTEN);
    } finally {
      await server.stop();
    }
  });
});

const ignore = (): void => undefined;

describe("openai-mock-api", () => {
  it.each(["openai-chat:gpt-4", "openai-compatible:gpt-4"])("%s", async (model) => {
    const call = {
      id: "call_1",
      type: "function" as const,
      function: { name: "write_file", arguments: JSON.stringify(WRITE) },
    };
    const any = { matcher: "any" as const };
    const asked = [
      { role: "system" as const, ...any },
      { role: "user" as const, ...any },
      { role: "assistant" as const, tool_calls: [call] },
    ];
    // A conversation is answered with the last message of one that begins like it.
    const told = [
      ...asked,
      { role: "tool" as const, tool_call_id: "call_1", ...any },
      { role: "assistant" as const, content: "It is written." },
    ];
    const silent = { info: ignore, debug: ignore, warn: ignore, error: ignore };
    const responses = [
      { id: "call", messages: asked },
      { id: "answer", messages: told },
    ];
    const mock = new MockServer({ apiKey: "test-key", responses }, silent);
    // Its own start listens on every address, and on no free port.
    const server = createServer(Reflect.get(mock, "app") as RequestListener);
    await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
    try {
      const { port } = server.address() as AddressInfo;
      expect(await runAt(`http://127.0.0.1:${port}/v1`, model, "test-key")).toMatchObject(WRITTEN);
    } finally {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    }
  });
});
