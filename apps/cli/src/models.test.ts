import { KEY_VARIABLES } from "@toycoder/provider-openai";
import { expect, test } from "vitest";
import { createModel, PROVIDER_KEYS } from "./models.ts";

const surroundings = { env: {}, folder: "/" };
const compatible = { provider: "openai-compatible", model: "m", baseURL: "http://127.0.0.1:1/v1" };

test("every variable that a key is taken from is kept from tools and cassettes", () => {
  expect(PROVIDER_KEYS).toEqual(expect.arrayContaining([...KEY_VARIABLES]));
});

test("a config's quirks reach the provider, which refuses what it doesn't know", async () => {
  await expect(
    createModel({ ...compatible, quirks: "vllm" }, undefined, surroundings),
  ).resolves.toMatchObject({
    id: "openai-compatible:m",
  });
  await expect(createModel({ ...compatible, quirks: "vlm" }, undefined, surroundings)).rejects.toMatchObject({
    code: "invalid_model",
    hint: expect.stringContaining("did you mean vllm?"),
  });
  const fallback = { ...compatible, quirks: { imags: false } };
  await expect(createModel({ ...compatible, fallback }, undefined, surroundings)).rejects.toMatchObject({
    hint: expect.stringContaining("did you mean images?"),
  });
});

test("quirks of another provider are refused", async () => {
  const model = { provider: "anthropic", model: "m", quirks: "ollama" };
  await expect(createModel(model, undefined, surroundings)).rejects.toMatchObject({
    code: "invalid_model",
    hint: expect.stringContaining("openai-compatible"),
  });
});

test("a base URL that is none is refused before any request", async () => {
  await expect(createModel("openai-compatible:m", "localhost:8080/v1", surroundings)).rejects.toMatchObject({
    code: "invalid_model",
    hint: "write it whole, as in http://localhost:8080/v1",
  });
});
