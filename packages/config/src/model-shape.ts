import type { ReasoningEffort } from "@toycoder/core/wire";
import { describeValue, type Shape } from "./shape.ts";
import { about, filled, matching, TEXT } from "./text-shape.ts";

const REASONING_EFFORTS: readonly ReasoningEffort[] = [
  "none",
  "minimal",
  "low",
  "medium",
  "high",
  "xhigh",
  "max",
];

const price = (what: string): Shape => about(what, { kind: "number", min: 0 });
const PRICES = {
  input: price("Of tokens of the prompt."),
  output: price("Of tokens of the answer."),
  cacheRead: price("Of prompt tokens that the provider had kept; default: input's."),
  cacheWrite: price("Of prompt tokens that it now keeps; default: input's."),
};

// The value itself is never repeated: somebody may have put the secret there.
const secretText: Shape = matching(
  String.raw`^\$\{[A-Za-z_]\w*\}$`,
  () => "expected ${NAME} of an environment variable; a key itself does not belong here",
);

const NAMED_MODEL: Shape = matching(
  "^[^:]+:.",
  (value) => `expected a model as provider:name, got ${describeValue(value)}`,
);

export const MODEL_KEYS: Readonly<Record<string, Shape>> = {
  provider: about(
    "anthropic, openai, openai-chat, openai-compatible, replay, or one that a plugin brings.",
    filled("the name of a provider"),
  ),
  model: about("The model's name, as its provider has it; for replay a file.", filled("the name of a model")),
  baseURL: about("The server's address. ${VAR} is put in.", filled("an address")),
  reasoningEffort: about("How long it may think.", { kind: "choice", of: REASONING_EFFORTS }),
  maxOutputTokens: about("The most tokens of one answer.", { kind: "number", whole: true, min: 1 }),
  temperature: about("As the provider has it.", { kind: "number", min: 0 }),
  headers: about("HTTP headers of each request. ${VAR} is put in, and counts as secret.", {
    kind: "map",
    of: TEXT,
  }),
  apiKey: about(
    "${NAME} of the environment variable that holds the key; default: the provider's own variable.",
    secretText,
  ),
  // Whether there is such a server or quirk, the provider says.
  quirks: about("For openai-compatible: the server's name, or single differences; see docs/providers.md.", {
    kind: "either",
    of: [filled("the name of a server"), { kind: "map", of: { kind: "anything" } }],
  }),
  contextWindow: about("In tokens; default: what is known of the model.", {
    kind: "number",
    whole: true,
    min: 1,
  }),
  prices: about("USD per million tokens; default: the list price, where it is known.", {
    kind: "object",
    required: ["input", "output"],
    keys: {
      ...PRICES,
      longPrompt: about("The prices of prompts above so many tokens.", {
        kind: "object",
        required: ["above", "input", "output"],
        keys: { above: about("Tokens of the prompt.", { kind: "number", whole: true, min: 1 }), ...PRICES },
      }),
    },
  }),
  get fallback(): Shape {
    return about("The model that takes over when this one is overloaded for good.", {
      kind: "either",
      of: [NAMED_MODEL, MODEL],
    });
  },
};

const MODEL: Shape = { kind: "object", required: ["provider", "model"], keys: MODEL_KEYS };

/** `model` of a config: its name, or the model with its settings. */
export const MODEL_CHOICE: Shape = about(
  "provider:name, auto, or an object with the model's settings. Default: auto.",
  { kind: "either", of: [filled("a model as provider:name"), MODEL] },
);
