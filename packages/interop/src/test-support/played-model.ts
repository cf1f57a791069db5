import { MockLanguageModelV4 } from "ai/test";

type Options = ConstructorParameters<typeof MockLanguageModelV4>[0];
type Answer = Awaited<ReturnType<MockLanguageModelV4["doGenerate"]>>;
type Content = Answer["content"][number];

export interface PlayedCall {
  name: string;
  /** JSON text, as models send it. */
  input: string;
}

const usage: Answer["usage"] = {
  inputTokens: { total: 1, noCache: 1, cacheRead: 0, cacheWrite: 0 },
  outputTokens: { total: 1, text: 1, reasoning: 0 },
};

/** An AI SDK model that makes these calls in its first turn (call_0, call_1, …) and says "done" in its second. */
export function playedModel(calls: readonly PlayedCall[], options: Options = {}): MockLanguageModelV4 {
  const content = calls.map(({ name, input }, at): Content => ({
    type: "tool-call",
    toolCallId: `call_${at}`,
    toolName: name,
    input,
  }));
  const turn = (parts: Content[], reason: Answer["finishReason"]["unified"]): Answer => ({
    content: parts,
    finishReason: { unified: reason, raw: undefined },
    usage,
    warnings: [],
  });
  return new MockLanguageModelV4({
    ...options,
    doGenerate: [turn(content, "tool-calls"), turn([{ type: "text", text: "done" }], "stop")],
  });
}

/** What the model was told of each call in its second turn. */
export function toldResults(model: MockLanguageModelV4): unknown[] {
  const prompt = model.doGenerateCalls[1]?.prompt ?? [];
  return prompt.flatMap((message) =>
    message.role === "tool"
      ? message.content.flatMap((part) => (part.type === "tool-result" ? [part.output] : []))
      : [],
  );
}
