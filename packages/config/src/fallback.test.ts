import { isSetupError } from "@toycoder/core";
import { tempWorkspace } from "@toycoder/testing";
import { describe, expect, it } from "vitest";
import { checkConfig, loadConfig } from "./load-config.ts";
import type { ToycoderConfig } from "./define-config.ts";

const ENV = { KEY: "secret-value", HOST: "http://one.test" };

async function load(config: ToycoderConfig) {
  using folder = tempWorkspace({ "toycoder.config.json": JSON.stringify(config) });
  return await loadConfig({ cwd: folder.root, env: ENV });
}

async function problem(config: unknown): Promise<string> {
  try {
    await load(config as ToycoderConfig);
  } catch (error) {
    if (isSetupError(error) && error.code === "config_invalid") return error.message;
    throw error;
  }
  throw new Error("it is valid");
}

const A = { provider: "anthropic", model: "a" };
const B = { provider: "openai", model: "b" };

describe("a model's fallback", () => {
  it.each([
    "openai:b",
    B,
    { ...B, fallback: "openai-chat:c" },
    { ...A, model: "b" },
    // The same model somewhere else, or with another account.
    { ...A, baseURL: "http://two.test" },
    { ...A, headers: { "x-api-key": "2" } },
    { ...A, apiKey: "${KEY}" },
  ])("may be %j", async (fallback) => {
    const { config } = await load({ model: { ...A, fallback } });
    expect(config.model).toEqual(
      JSON.parse(JSON.stringify({ ...A, fallback }).replace("${KEY}", "secret-value")),
    );
  });

  it("has its variables put in, and its headers' values are secrets", async () => {
    const fallback = { ...B, baseURL: "${HOST}/v1", headers: { authorization: "Bearer ${KEY}" } };
    const { config, secretVariables } = await load({ model: { ...A, fallback } });
    expect(config.model).toMatchObject({
      fallback: { baseURL: "http://one.test/v1", headers: { authorization: "Bearer secret-value" } },
    });
    expect(secretVariables).toEqual(["KEY"]);
  });

  it.each([
    ["the model itself", { ...A, fallback: "anthropic:a" }, "model.fallback: is the same as model;"],
    ["itself with settings", { ...A, fallback: { ...A, temperature: 1 } }, "is the same as model;"],
    [
      "one that failed before",
      { ...A, fallback: { ...B, fallback: A } },
      "model.fallback.fallback: is the same as model;",
    ],
    [
      "the same address by a variable",
      { ...A, baseURL: "${HOST}", fallback: { ...A, baseURL: "http://one.test" } },
      "is the same as model;",
    ],
    ["auto", { ...A, fallback: "auto" }, 'model.fallback: expected a model as provider:name, got "auto"'],
    ["no name", { ...A, fallback: { provider: "openai" } }, "model.fallback.model"],
    ["an unknown key", { ...A, fallback: { ...B, fallbak: "x:y" } }, "model.fallback.fallbak"],
    [
      "an unset variable",
      { ...A, fallback: { ...B, baseURL: "${NONE}" } },
      "model.fallback.baseURL: the env",
    ],
  ])("may not be %s", async (_, model, message) => {
    expect(await problem({ model })).toContain(message);
  });
});

describe("a model's prices and window", () => {
  it("are taken as they are", async () => {
    const longPrompt = { above: 100_000, input: 2, output: 4 };
    const model = {
      ...A,
      contextWindow: 200_000,
      prices: { input: 0, output: 2.5, cacheRead: 0.1, longPrompt },
    };
    expect((await load({ model })).config.model).toEqual(model);
  });

  it.each([
    [{ prices: { input: 1 } }, "model.prices.output"],
    [{ prices: { input: -1, output: 1 } }, "model.prices.input"],
    [{ prices: { input: "1", output: 1 } }, "model.prices.input"],
    [{ prices: { input: 1, output: 1, cached: 1 } }, "model.prices.cached"],
    [
      { prices: { input: 1, output: 1, longPrompt: { input: 1, output: 1 } } },
      "model.prices.longPrompt.above",
    ],
    [{ contextWindow: 0 }, "model.contextWindow"],
    [{ contextWindow: 1.5 }, "model.contextWindow"],
  ])("refuse %j", async (more, place) => {
    expect(await problem({ model: { ...A, ...more } })).toContain(place);
  });
});

it("checks a config's fallback without loading it", () => {
  const config = { model: { ...A, fallback: { ...B, prices: { input: 1, output: 2 } } } };
  expect(checkConfig(config, "here")).toEqual(config);
});
