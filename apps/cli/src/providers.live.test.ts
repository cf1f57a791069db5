// Asks real providers, for money: `npm run test:live`. What no key is set for is left out, and said.
import {
  type AssistantPart,
  defineTool,
  type Message,
  type Model,
  type ModelRequest,
  NO_USAGE,
  text,
  type Tool,
  type ToolCall,
  type Usage,
} from "@toycoder/core";
import { describe, expect, test } from "vitest";
import * as z from "zod";
import { createModel, DEFAULT_MODELS } from "./models.ts";
import { solidPng } from "./test-support/solid-png.ts";

const { env } = process;

interface Api {
  name: string;
  /** As `--model` has it; undefined where what `needs` says is not there. */
  model: string | undefined;
  baseURL?: string | undefined;
  needs: string;
  /** Whether the API tells what came from its prompt cache. */
  caches: boolean;
}

const anthropic = env["TOYCODER_LIVE_ANTHROPIC"] ?? DEFAULT_MODELS.anthropic;
const openai = env["TOYCODER_LIVE_OPENAI"] ?? DEFAULT_MODELS.openai;
const compatible = env["TOYCODER_LIVE_COMPATIBLE"];
const hasOpenAi = env["OPENAI_API_KEY"] !== undefined && env["OPENAI_API_KEY"] !== "";
const hasAnthropic = env["ANTHROPIC_API_KEY"] !== undefined && env["ANTHROPIC_API_KEY"] !== "";

const APIS: readonly Api[] = [
  {
    name: "Anthropic Messages",
    model: hasAnthropic ? `anthropic:${anthropic}` : undefined,
    needs: "ANTHROPIC_API_KEY",
    caches: true,
  },
  {
    name: "OpenAI Responses",
    model: hasOpenAi ? `openai:${openai}` : undefined,
    needs: "OPENAI_API_KEY",
    caches: true,
  },
  {
    name: "OpenAI Chat Completions",
    model: hasOpenAi ? `openai-chat:${openai}` : undefined,
    needs: "OPENAI_API_KEY",
    caches: true,
  },
  {
    name: "a compatible server",
    model: compatible === undefined ? undefined : `openai-compatible:${compatible}`,
    baseURL: env["TOYCODER_LIVE_BASE_URL"],
    needs: "TOYCODER_LIVE_COMPATIBLE (a model) and TOYCODER_LIVE_BASE_URL",
    caches: false,
  },
];

for (const { name, model, needs } of APIS) {
  console.log(model === undefined ? `${name}: left out, set ${needs}` : `${name}: ${model}`);
}

const getWeather = defineTool({
  name: "get_weather",
  description: "Get the weather of one city now. For several cities it is called several times.",
  input: z.object({ city: z.string().describe("The city's name"), days: z.number().int().default(1) }),
  execute: () => "",
}) as Tool;

/** Long enough for every prompt cache: they begin at 1,024 to 4,096 tokens. */
const LONG = Array.from({ length: 700 }, (_, index) => `Rule ${index + 1}: stay polite and brief.`).join(
  "\n",
);

interface Answer {
  parts: AssistantPart[];
  calls: ToolCall[];
  said: string;
  usage: Usage;
}

async function ask(model: Model, request: Partial<ModelRequest>): Promise<Answer> {
  const answer: Answer = { parts: [], calls: [], said: "", usage: NO_USAGE };
  const whole = { instructions: "You are brief.", messages: [], tools: [], ...request };
  for await (const event of model.stream(whole, { signal: AbortSignal.timeout(110_000) })) {
    if (event.type === "retry") Object.assign(answer, { parts: [], calls: [], said: "" });
    if (event.type === "text") answer.said += event.text;
    if (event.type === "reasoning" && event.data !== undefined) answer.parts.push(event);
    if (event.type === "usage") answer.usage = event.usage;
    if (event.type === "tool_call") {
      answer.calls.push(event.call);
      answer.parts.push({ type: "tool_call", ...event.call });
    }
  }
  if (answer.said !== "") answer.parts.unshift(text(answer.said));
  // Reasoning goes first, as it came.
  answer.parts.sort((a, b) => Number(b.type === "reasoning") - Number(a.type === "reasoning"));
  return answer;
}

const say = (value: string): Message => ({ role: "user", content: [text(value)] });
const cityOf = ({ arguments: given }: ToolCall): unknown =>
  (typeof given === "string" ? (JSON.parse(given) as Record<string, unknown>) : given)["city"];

describe.each(APIS.map((api) => [api.name, api] as const))("%s", (_, { model: name, baseURL, caches }) => {
  const make = (): Promise<Model> => createModel(name, baseURL, { env, folder: process.cwd() });
  const off = name === undefined;

  test.skipIf(off)("a tool is called, and its result is understood", async () => {
    const model = await make();
    const asked = say("What is the weather in Oslo? Use the tool.");
    const first = await ask(model, { messages: [asked], tools: [getWeather] });
    expect(first.calls.map(cityOf)).toEqual([expect.stringMatching(/oslo/i)]);
    const content = [text("Hail, -7 degrees.")];
    const results = first.calls.map(({ id }) => ({ callId: id, name: "get_weather", ok: true, content }));
    const messages: Message[] = [
      asked,
      { role: "assistant", content: first.parts },
      { role: "tool", results },
    ];
    expect((await ask(model, { messages, tools: [getWeather] })).said).toMatch(/hail|7/i);
  });

  test.skipIf(off)("calls in parallel come out apart", async () => {
    const messages = [say("Weather in Oslo and in Lima? Call the tool for both at once, in one answer.")];
    const { calls } = await ask(await make(), { messages, tools: [getWeather] });
    expect(calls.map(cityOf).map(String).sort()).toEqual([
      expect.stringMatching(/lima/i),
      expect.stringMatching(/oslo/i),
    ]);
    expect(new Set(calls.map(({ id }) => id)).size).toBe(2);
  });

  test.skipIf(off)("an image is seen", async () => {
    const image = { type: "image" as const, mediaType: "image/png", data: solidPng(128, [220, 0, 0]) };
    const messages: Message[] = [
      { role: "user", content: [text("Which colour is this image? One word."), image] },
    ];
    expect((await ask(await make(), { messages })).said).toMatch(/red/i);
  });

  test.skipIf(off || !caches)("the second turn reads the prompt from the cache", async () => {
    const model = await make();
    const request = { instructions: LONG, tools: [getWeather], sessionId: crypto.randomUUID() };
    const first = await ask(model, { ...request, messages: [say("Say A.")] });
    const messages: Message[] = [say("Say A."), { role: "assistant", content: first.parts }, say("Say B.")];
    const second = await ask(model, { ...request, messages });
    expect(second.usage.cacheReadTokens).toBeGreaterThan(1000);
  });
});
