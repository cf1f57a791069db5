import type { ModelConfig } from "@toycoder/config";

/** Where the key of the chosen model is looked for, and whether it is there. */
export interface ModelKey {
  /** Null where the config names it by `apiKey`. */
  variable: string | null;
  present: boolean;
}

const VARIABLES: Readonly<Record<string, readonly string[]>> = {
  anthropic: ["ANTHROPIC_API_KEY", "ANTHROPIC_AUTH_TOKEN"],
  openai: ["OPENAI_API_KEY"],
  "openai-chat": ["OPENAI_API_KEY"],
};

/** The key of a model; null for one that may need none: a recording, a server of one's own. */
export function modelKey(
  choice: string | ModelConfig | undefined,
  env: Readonly<Record<string, string | undefined>>,
): ModelKey | null {
  if (typeof choice === "object" && choice.apiKey !== undefined) return { variable: null, present: true };
  const provider = typeof choice === "object" ? choice.provider : choice?.split(":")[0];
  const auto = provider === undefined || provider === "auto";
  const variables = auto ? ["ANTHROPIC_API_KEY", "OPENAI_API_KEY"] : (VARIABLES[provider] ?? []);
  const set = variables.find((name) => env[name]);
  const [first] = variables;
  if (first === undefined || (auto && set === undefined)) return null;
  return { variable: set ?? first, present: set !== undefined };
}
