import { type AgentEvent, type RunResult, runAgent } from "@toycoder/agent";
import type { ModelConfig } from "@toycoder/config";
import { createPolicy, createSession, createWorkspace, jsonSchema, ToolRegistry } from "@toycoder/core";
import { tempWorkspace } from "@toycoder/testing";
import { describe, expect, it } from "vitest";
import { createModel } from "../models.ts";
import type { Answer } from "../test-support/answer.ts";
import { modelServer } from "../test-support/model-server.ts";

/** What each API answers to a prompt that is too long, as its documentation and SDK have it. */
const OPENAI_ERROR = {
  error: {
    message:
      "This model's maximum context length is 4096 tokens. However, your messages resulted in 5021 tokens.",
    type: "invalid_request_error",
    param: "messages",
    code: "context_length_exceeded",
  },
};
const RESPONSES_ERROR = {
  error: {
    message: "Your input exceeds the context window of this model. Please adjust your input and try again.",
    type: "invalid_request_error",
    param: "input",
    code: "context_length_exceeded",
  },
};
const ANTHROPIC_ERROR = {
  type: "error",
  error: { type: "invalid_request_error", message: "prompt is too long: 5021 tokens > 4096 maximum" },
};

const APIS: readonly [ModelConfig, object, path: string][] = [
  [{ provider: "openai", model: "m", headers: { authorization: "Bearer t" } }, RESPONSES_ERROR, "/v1"],
  [{ provider: "openai-chat", model: "m", headers: { authorization: "Bearer t" } }, OPENAI_ERROR, "/v1"],
  [{ provider: "openai-compatible", model: "m" }, OPENAI_ERROR, "/v1"],
  [{ provider: "anthropic", model: "m", headers: { "x-api-key": "t" } }, ANTHROPIC_ERROR, ""],
];

const MOST_CHARACTERS = 12_000;

/** Six calls that bring 4,000 characters each; a request that is too long is turned away with `error`. */
function scripted(error: object, requests: string[]): (request: unknown) => Answer {
  let calls = 0;
  return (request) => {
    const body = JSON.stringify(request);
    const { tools } = request as { tools?: unknown };
    if (tools === undefined) return { text: "so far: the summary" };
    requests.push(body);
    if (body.length > MOST_CHARACTERS) return { failure: { status: 400, body: error } };
    return ++calls <= 6 ? { calls: [{ name: "fill", arguments: {} }] } : { text: "Done." };
  };
}

async function run(
  model: ModelConfig,
  url: string,
  root: string,
): Promise<{ result: RunResult; events: AgentEvent[] }> {
  const registry = new ToolRegistry();
  const input = jsonSchema({ type: "object", properties: {}, additionalProperties: false });
  registry.tool({ name: "fill", description: "Gives text.", input })(() => "x".repeat(4000));
  const workspace = createWorkspace({ root });
  const session = createSession({ registry, workspace, policy: createPolicy({ root }) });
  const events: AgentEvent[] = [];
  const made = await createModel(model, url, { env: {}, folder: root });
  for await (const event of runAgent({ model: made, session, task: "Do it.", instructions: "Be brief." }))
    events.push(event);
  const last = events.at(-1);
  if (last?.type !== "result") throw new Error("no result");
  return { result: last.result, events };
}

describe.each(APIS)("$provider", (model, error, path) => {
  it("goes on after the server said that the prompt is too long", async () => {
    const requests: string[] = [];
    await using server = await modelServer(scripted(error, requests));
    using folder = tempWorkspace();
    const { result, events } = await run(model, `${server.url}${path}`, folder.root);
    expect(result).toMatchObject({ status: "completed", text: "Done.", turns: 7 });
    const compactions = events.filter((event) => event.type === "compaction");
    expect(compactions.length).toBeGreaterThan(0);
    expect(compactions[0]).toMatchObject({ reason: "overflow", summary: "so far: the summary" });
    const [first, ...later] = requests.filter((body) => body.length > MOST_CHARACTERS);
    expect(first).toBeDefined();
    expect(later.length).toBeLessThan(requests.length / 2);
    expect(requests.at(-1)).toContain("so far: the summary");
  });

  it("ends where the server takes no prompt", async () => {
    await using server = await modelServer(() => ({ failure: { status: 400, body: error } }));
    using folder = tempWorkspace();
    const { result } = await run(model, `${server.url}${path}`, folder.root);
    expect(result).toMatchObject({
      status: "provider_error",
      exitCode: 4,
      error: { code: "context_overflow" },
    });
    expect(result.error?.hint).toContain("larger context window");
    expect(server.requests).toHaveLength(1);
  });

  it("with a window in the config, no request goes over it", async () => {
    const requests: string[] = [];
    await using server = await modelServer(scripted(error, requests));
    using folder = tempWorkspace();
    // The server counts 100 tokens for every prompt, which nobody believes.
    const { result, events } = await run(
      { ...model, contextWindow: 1500 },
      `${server.url}${path}`,
      folder.root,
    );
    expect(result).toMatchObject({ status: "completed", turns: 7 });
    expect(events.filter((event) => event.type === "compaction").map(({ reason }) => reason)).toContain(
      "near",
    );
    expect(requests.filter((body) => body.length > MOST_CHARACTERS)).toEqual([]);
  });
});
