import { checkOpenAiTool } from "@toycoder/testing";
import { stored, toolCases } from "@toycoder/testing/tool-corpus";
import { expect, test } from "vitest";
import { encodeTools as encodeForResponses } from "../responses/encode-tools.ts";
import { encodeTools } from "./encode-tools.ts";
import { COMPATIBLE_QUIRKS } from "./quirks.ts";

test.each(toolCases)(
  "$name: is encoded as it is stored, and as the API takes it",
  async ({ tools, file }) => {
    const encoded = encodeTools(tools);
    await expect(stored(encoded)).toMatchFileSnapshot(file("openai-chat.json"));
    expect(encoded.tools.flatMap(checkOpenAiTool)).toEqual([]);
  },
);

test.each(toolCases)("$name: says the same as for Responses, in the other shape", ({ tools }) => {
  const { tools: chat, ...rest } = encodeTools(tools);
  const { tools: responses, ...others } = encodeForResponses(tools);
  expect(chat.map((tool) => ({ type: tool.type, ...tool.function }))).toEqual(responses);
  expect(rest.lost).toEqual(others.lost);
  expect(rest.skipped).toEqual(others.skipped);
});

test("`strict` goes with every tool to any server that takes the field", () => {
  const strict = (quirks = {}): unknown[] =>
    toolCases.flatMap(({ tools }) =>
      encodeTools(tools, { ...COMPATIBLE_QUIRKS, ...quirks }).tools.map((tool) => tool.function.strict),
    );
  expect(new Set(strict())).toEqual(new Set([false]));
  expect(new Set(strict({ strictTools: true }))).toEqual(new Set([true, false]));
  expect(new Set(strict({ strictField: false, strictTools: true }))).toEqual(new Set([undefined]));
});
