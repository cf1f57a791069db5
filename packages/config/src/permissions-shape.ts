import { createPolicy, isSetupError, messageOf, parseRule } from "@toycoder/core";
import type { Shape } from "./shape.ts";
import { about, filled } from "./text-shape.ts";

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

const LEVEL_DECISION: Shape = { kind: "choice", of: ["allow", "ask", "deny", "disabled"] };

const POLICY_TEST: Shape = {
  kind: "tuple",
  expected: "[tool, arguments, decision]",
  of: [filled("the name of a tool"), { kind: "map", of: { kind: "anything" } }, LEVEL_DECISION],
};

/** `permissions.deny`: the one list of rules that a person's defaults may hold, too. */
export const DENY: Shape = about("Rules for what no call may do; they come first.", RULES);

export const PERMISSIONS: Shape = about("What the agent may do; see docs/permissions.md.", {
  kind: "object",
  keys: {
    levels: about("What a call of each level comes to where no rule speaks.", {
      kind: "object",
      keys: {
        safe: about("Default: allow.", LEVEL_DECISION),
        sensitive: about("Default: ask.", LEVEL_DECISION),
        dangerous: about("Default: disabled, and ask once it is enabled.", LEVEL_DECISION),
      },
    }),
    allow: about("Rules for what calls may do unasked.", RULES),
    ask: about("Rules for what a person is asked about first.", RULES),
    deny: DENY,
    protect: about("Paths that no call may write, beside those that are always protected.", PROTECTIONS),
    onAsk: about("What becomes of a question that nobody is there to answer. Default: deny.", {
      kind: "choice",
      of: ["deny", "allow", "stop"],
    }),
    tests: about("[tool, arguments, decision]: what toycoder check holds the rules to.", {
      kind: "list",
      of: POLICY_TEST,
    }),
  },
});
