import { createPolicy, isSetupError, messageOf, parseRule } from "@toycoder/core";
import type { ReasoningEffort } from "@toycoder/core/wire";
import { checkPluginEntry } from "./plugin-entry.ts";
import type { Shape } from "./shape.ts";

const TEXT: Shape = { kind: "text" };
const TEXTS: Shape = { kind: "list", of: TEXT };
const LATER: Shape = { kind: "unsupported" };

const filled = (what: string): Shape => ({
  kind: "text",
  check: (value) => (value.trim() === "" ? `expected ${what}, got an empty text` : undefined),
});

// Rules are parsed with the workspace's folder later on; whether they can be read doesn't depend on it.
const ANY_ROOT = "/";

const attempt = (parse: () => unknown): string | undefined => {
  try {
    parse();
    return undefined;
  } catch (error) {
    return isSetupError(error) && error.hint !== undefined
      ? `${error.message} (${error.hint})`
      : messageOf(error);
  }
};

const RULES: Shape = {
  kind: "list",
  of: { kind: "text", check: (rule) => attempt(() => parseRule(rule, ANY_ROOT)) },
};

const PROTECTIONS: Shape = {
  kind: "list",
  of: {
    kind: "text",
    check: (pattern) => attempt(() => createPolicy({ root: ANY_ROOT, protect: [pattern] })),
  },
};

const REASONING_EFFORTS: readonly ReasoningEffort[] = [
  "none",
  "minimal",
  "low",
  "medium",
  "high",
  "xhigh",
  "max",
];
const LEVEL_DECISION: Shape = { kind: "choice", of: ["allow", "ask", "deny", "disabled"] };

// The value itself is never repeated: somebody may have put the secret there.
const variable: Shape = {
  kind: "text",
  check: (value) =>
    /^(?:[A-Za-z_]\w*|\$\{[A-Za-z_]\w*\})$/.test(value)
      ? undefined
      : "expected the name of an environment variable, got a string that is none; a credential's value does not belong here",
};

const MODEL: Shape = {
  kind: "object",
  required: ["provider", "model"],
  keys: {
    provider: filled("the name of a provider"),
    model: filled("the name of a model"),
    baseURL: filled("an address"),
    reasoningEffort: { kind: "choice", of: REASONING_EFFORTS },
    maxOutputTokens: { kind: "number", whole: true, min: 1 },
    temperature: { kind: "number", min: 0 },
    headers: { kind: "map", of: TEXT },
    fallback: LATER,
  },
};

const POLICY_TEST: Shape = {
  kind: "tuple",
  expected: "[tool, arguments, decision]",
  of: [filled("the name of a tool"), { kind: "map", of: { kind: "anything" } }, LEVEL_DECISION],
};

/** Every key of a config, at any depth. */
export const CONFIG_SHAPE: Shape = {
  kind: "object",
  keys: {
    model: { kind: "either", of: [filled("a model as provider:name"), MODEL] },
    plugins: { kind: "list", of: { kind: "custom", check: checkPluginEntry } },
    discover: LATER,
    tools: {
      kind: "object",
      keys: { enable: TEXTS, disable: TEXTS, versions: LATER, alias: LATER, maxVisible: LATER },
    },
    permissions: {
      kind: "object",
      keys: {
        levels: {
          kind: "object",
          keys: { safe: LEVEL_DECISION, sensitive: LEVEL_DECISION, dangerous: LEVEL_DECISION },
        },
        allow: RULES,
        ask: RULES,
        deny: RULES,
        protect: PROTECTIONS,
        onAsk: { kind: "choice", of: ["deny", "allow", "stop"] },
        tests: { kind: "list", of: POLICY_TEST },
      },
    },
    mcpServers: LATER,
    workspace: { kind: "object", keys: { roots: { kind: "list", of: filled("a folder") } } },
    limits: {
      kind: "object",
      keys: {
        turns: { kind: "number", whole: true, min: 1 },
        toolCalls: LATER,
        tokens: LATER,
        costUsd: LATER,
        minutes: LATER,
      },
    },
    credentials: {
      kind: "map",
      of: { kind: "either", of: [variable, { kind: "object", keys: { env: variable }, required: ["env"] }] },
    },
    hooks: {
      kind: "object",
      keys: { beforeToolCall: { kind: "function" }, afterToolCall: { kind: "function" } },
    },
    instructions: TEXT,
    profiles: LATER,
  },
};
