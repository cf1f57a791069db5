import type { WireSubject } from "@toycoder/testing";
import { openAiChat, openAiCompatible } from "../chat/model.ts";
import { CHAT_STOPS, chatWire } from "./chat-wire.ts";
import { COMPATIBLE_OVERFLOWS, OPENAI_OVERFLOWS } from "./error-bodies.ts";

export const CHAT: WireSubject = {
  name: "OpenAI Chat Completions",
  stops: CHAT_STOPS,
  wire: chatWire(openAiChat, { overflows: OPENAI_OVERFLOWS, caching: ["key"] }),
};

export const COMPATIBLE: WireSubject = {
  name: "a server that speaks Chat Completions",
  stops: [...CHAT_STOPS, ["eos", "stop"], ["tool_calls", "stop"]],
  wire: chatWire(openAiCompatible, {
    overflows: [...OPENAI_OVERFLOWS, ...COMPATIBLE_OVERFLOWS],
    reasoning: [
      {
        name: "reasoning in a field of its own",
        value: [{ reasoning_content: "H" }, { reasoning_content: "m." }],
        sent: { reasoning_content: "Hm." },
      },
    ],
  }),
};
