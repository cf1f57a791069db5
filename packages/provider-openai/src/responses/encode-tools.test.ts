import { checkOpenAiTool } from "@toycoder/testing";
import { stored, toolCases } from "@toycoder/testing/tool-corpus";
import { expect, test } from "vitest";
import { encodeTools } from "./encode-tools.ts";

test.each(toolCases)(
  "$name: is encoded as it is stored, and as the API takes it",
  async ({ tools, file }) => {
    const encoded = encodeTools(tools);
    await expect(stored(encoded)).toMatchFileSnapshot(file("openai-responses.json"));
    expect(encoded.tools.flatMap(checkOpenAiTool)).toEqual([]);
  },
);

test.each(toolCases)("$name: is taken without strict mode, too", ({ tools }) => {
  const encoded = encodeTools(tools, { strictTools: false });
  expect(encoded.tools.flatMap(checkOpenAiTool)).toEqual([]);
  expect(encoded.tools.filter(({ strict }) => strict !== false)).toEqual([]);
});
