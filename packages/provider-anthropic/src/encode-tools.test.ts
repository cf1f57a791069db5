import { checkAnthropicTool } from "@toycoder/testing";
import { stored, toolCases } from "@toycoder/testing/tool-corpus";
import { expect, test } from "vitest";
import { encodeTools } from "./encode-tools.ts";

test.each(toolCases)(
  "$name: is encoded as it is stored, and as the API takes it",
  async ({ tools, file }) => {
    const encoded = encodeTools(tools);
    await expect(stored(encoded)).toMatchFileSnapshot(file("anthropic.json"));
    expect(encoded.tools.flatMap(checkAnthropicTool)).toEqual([]);
  },
);
