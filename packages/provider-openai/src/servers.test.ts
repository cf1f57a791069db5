import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import { openAiChat, openAiCompatible } from "./chat/model.ts";
import { KEY_VARIABLES, keyVariables, quirksFor, serverOf } from "./servers.ts";
import { capture } from "./test-support/capture.ts";
import { openAiResponses } from "./responses/model.ts";

describe("the server of a base URL", () => {
  test.each([
    ["https://api.deepseek.com", "deepseek"],
    ["https://api.deepseek.com/v1", "deepseek"],
    ["https://dashscope.aliyuncs.com/compatible-mode/v1", "qwen"],
    ["https://dashscope-intl.aliyuncs.com/compatible-mode/v1", "qwen"],
    ["https://generativelanguage.googleapis.com/v1beta/openai/", "gemini"],
    ["https://openrouter.ai/api/v1", "openrouter"],
    ["https://api.groq.com/openai/v1", "groq"],
    ["https://api.mistral.ai/v1", "mistral"],
    ["http://localhost:11434/v1", "ollama"],
    ["http://127.0.0.1:11434/v1", "ollama"],
    ["http://[::1]:11434/v1", "ollama"],
    ["http://localhost:1234/v1", "lm-studio"],
    ["http://localhost:8080/v1", undefined],
    ["http://192.168.0.7:11434/v1", undefined],
    ["https://api.deepseek.com.example.org/v1", undefined],
    ["https://example.org/api.mistral.ai", undefined],
    ["https://notopenrouter.ai/v1", undefined],
  ])("%s: %s", (url, server) => {
    expect(serverOf(url)).toBe(server);
  });

  test("decides where nothing is said; a name said wins, single quirks come on top", () => {
    const url = "https://api.deepseek.com";
    expect(quirksFor(url, undefined)).toMatchObject({ outputSchema: "json_object", images: false });
    expect(quirksFor(url, "groq")).toMatchObject({ outputSchema: "json_schema", returnReasoning: false });
    expect(quirksFor(url, { images: true })).toMatchObject({ outputSchema: "json_object", images: true });
  });

  test("reaches the request", async () => {
    expect((await capture({ baseURL: "https://api.mistral.ai/v1" })).body).not.toHaveProperty(
      "stream_options",
    );
    expect((await capture({ baseURL: "https://api.mistral.ai/v1", quirks: "vllm" })).body).toHaveProperty(
      "stream_options",
    );
  });
});

test.each([
  ["olama", 'there is no server "olama"', /did you mean ollama\? Known are deepseek, gemini/],
  [{ image: false }, 'there is no quirk "image"', /did you mean images\?/],
  [{ images: "no" }, 'images cannot be "no"', /one of true, false/],
  [{ schemas: "zod" }, 'schemas cannot be "zod"', /one of json-schema, no-patterns, gemini/],
])("quirks %j are refused when the model is made", (quirks, message, hint) => {
  const make = () => openAiCompatible({ model: "m", baseURL: "http://x/v1", quirks: quirks as never });
  expect(make).toThrow(expect.objectContaining({ code: "invalid_model", message: `quirks: ${message}` }));
  expect(make).toThrow(expect.objectContaining({ hint: expect.stringMatching(hint) }));
});

describe("keys", () => {
  const names = [...KEY_VARIABLES, "OPENAI_API_KEY", "OPENAI_BASE_URL"];
  beforeEach(() => {
    for (const name of names) vi.stubEnv(name, name === "OPENAI_BASE_URL" ? "" : `value-of-${name}`);
  });
  afterEach(() => vi.unstubAllEnvs());
  const sent = async (baseURL: string, more = {}): Promise<string | null> =>
    (await capture({ baseURL, ...more })).headers.get("authorization");

  test.each([
    ["https://api.deepseek.com", "DEEPSEEK_API_KEY"],
    ["https://generativelanguage.googleapis.com/v1beta/openai", "GEMINI_API_KEY"],
    ["https://dashscope-us.aliyuncs.com/compatible-mode/v1", "DASHSCOPE_API_KEY"],
    ["https://openrouter.ai/api/v1", "OPENROUTER_API_KEY"],
    ["https://api.groq.com/openai/v1", "GROQ_API_KEY"],
    ["https://api.mistral.ai/v1", "MISTRAL_API_KEY"],
    ["http://127.0.0.1:11434/v1", "OPENAI_COMPATIBLE_API_KEY"],
    ["https://llm.example.com/v1", "OPENAI_COMPATIBLE_API_KEY"],
  ])("%s gets %s", async (url, variable) => {
    expect(await sent(url)).toBe(`Bearer value-of-${variable}`);
  });

  test("OpenAI's goes to no other server, nor does one server's go to another that is said to be like it", async () => {
    for (const name of KEY_VARIABLES) vi.stubEnv(name, "");
    vi.stubEnv("DEEPSEEK_API_KEY", "value-of-DEEPSEEK_API_KEY");
    expect(await sent("https://llm.example.com/v1", { quirks: "deepseek" })).toBeNull();
    expect(await sent("https://api.groq.com/openai/v1")).toBeNull();
    expect(await sent("https://openai.com.example.org/v1")).toBeNull();
  });

  test("OpenAI's goes to OpenAI, to Azure, and where the environment's own base URL says", async () => {
    expect(await sent("https://api.openai.com/v1")).toBe("Bearer value-of-OPENAI_API_KEY");
    expect(await sent("https://me.openai.azure.com/openai/v1")).toBe("Bearer value-of-OPENAI_API_KEY");
    vi.stubEnv("OPENAI_COMPATIBLE_API_KEY", "");
    expect(await sent("https://vm.eastus.cloudapp.azure.com/v1")).toBeNull();
    vi.stubEnv("OPENAI_BASE_URL", "https://gateway.example.com/v1");
    expect(await sent(undefined as never)).toBe("Bearer value-of-OPENAI_API_KEY");
  });

  test("the settings' key and headers win", async () => {
    expect(await sent("https://api.groq.com/openai/v1", { apiKey: "mine" })).toBe("Bearer mine");
    const headers = { Authorization: "Bearer own", "x-team": "blue" };
    const { headers: got } = await capture({ baseURL: "https://api.groq.com/openai/v1", headers });
    expect([got.get("authorization"), got.get("x-team")]).toEqual(["Bearer own", "blue"]);
  });

  test.each([
    ["https://api.deepseek.com", "DEEPSEEK_API_KEY"],
    ["https://llm.example.com/v1", "OPENAI_COMPATIBLE_API_KEY"],
  ])("a 401 of %s names %s", async (baseURL, variable) => {
    for (const name of KEY_VARIABLES) vi.stubEnv(name, "");
    const fetch = () => Promise.resolve(Response.json({ error: { message: "no key" } }, { status: 401 }));
    const model = openAiCompatible({ model: "m", baseURL, fetch });
    const run = async (): Promise<void> => {
      const request = { instructions: "", messages: [], tools: [] };
      for await (const _ of model.stream(request, { signal: new AbortController().signal }));
    };
    await expect(run()).rejects.toMatchObject({ kind: "auth", hint: `check the key in ${variable}` });
  });

  test("variables are looked up in order", () => {
    expect(keyVariables("https://generativelanguage.googleapis.com")).toEqual([
      "GEMINI_API_KEY",
      "GOOGLE_API_KEY",
      "OPENAI_COMPATIBLE_API_KEY",
    ]);
  });
});

test.each([openAiCompatible, openAiChat, openAiResponses])("%o refuses a base URL that is none", (make) => {
  for (const [baseURL, hint] of [
    ["localhost:8080/v1", "http://localhost:8080/v1"],
    ["example.com", "http://example.com"],
    ["ftp://example.com", "write it whole"],
    ["", "write it whole"],
  ] as const) {
    expect(() => make({ model: "m", baseURL })).toThrow(
      expect.objectContaining({ code: "invalid_model", hint: expect.stringContaining(hint) }),
    );
  }
});
