import { roundTrip, toolCases } from "@toycoder/testing/tool-corpus";
import { expect, test } from "vitest";
import { encodeTools } from "./encode-tools.ts";

const runs = process.env.TOYCODER_SOAK === "1" ? 1000 : 4;

test.each(toolCases)("$name: comes back as the tool takes it", async ({ tools }) => {
  for (const strictTools of [true, false]) {
    const { tools: sent, codec, lost } = encodeTools(tools, { strictTools });
    for (const { name, parameters } of sent) {
      const tool = tools.find((one) => one.name === codec.decodeName(name))!;
      const decode = (args: unknown): unknown => codec.decodeArguments(name, args);
      const options = { schema: parameters ?? {}, decode, lost: lost.get(tool.name) ?? [], runs };
      await expect(roundTrip(tool, options)).resolves.toBeUndefined();
    }
  }
});
