import { checkAnthropicTool } from "@toycoder/testing";
import { randomTools, roundTrip } from "@toycoder/testing/tool-corpus";
import { expect, test } from "vitest";
import { encodeTools } from "./encode-tools.ts";

test("whatever its schema, a tool is sent as the API takes it, and comes back as it takes it itself", async () => {
  let count = 0;
  for (const tool of randomTools(300, 17)) {
    const { tools, codec, lost } = encodeTools([tool]);
    expect(tools.flatMap(checkAnthropicTool)).toEqual([]);
    for (const { name, input_schema: schema } of tools) {
      const decode = (args: unknown): unknown => codec.decodeArguments(name, args);
      const options = { schema, decode, lost: lost.get(tool.name) ?? [], runs: 10, givesUp: true };
      await expect(roundTrip(tool, options)).resolves.toBeUndefined();
      count += 1;
    }
  }
  expect(count).toBe(300);
});
