import path from "node:path";
import type { ModelConfig } from "@toycoder/config";
import { type Model, ModelError, nearest, SetupError } from "@toycoder/core";
import type { SkippedTool } from "@toycoder/core/wire";

/** What `auto` takes of each provider. From the model lists of the providers' SDKs on 2026-11-30. */
const DEFAULT_MODELS = { anthropic: "claude-sonnet-5-5", openai: "gpt-6.2-sol" } as const;

/** Where Ollama listens unless told otherwise (its documentation, FAQ). */
const OLLAMA = "http://127.0.0.1:11434";

/** The environment variables with which the providers' SDKs sign in: no tool's process gets to see them. */
export const PROVIDER_KEYS: readonly string[] = [
  "ANTHROPIC_API_KEY",
  "ANTHROPIC_AUTH_TOKEN",
  "OPENAI_API_KEY",
];

type Env = Readonly<Record<string, string | undefined>>;
type Settings = Omit<ModelConfig, "provider">;

export interface Surroundings {
  env: Env;
  /** Relative cassettes start here. */
  folder: string;
  /** Told, at each call, which tools the provider can't be offered and why. */
  onSkipped?: (skipped: readonly SkippedTool[]) => void;
}

/** Each provider, loaded when a model of it is made. */
const PROVIDERS: Readonly<
  Record<string, (settings: Settings, surroundings: Surroundings) => Promise<Model>>
> = {
  anthropic: async (settings, { onSkipped }) =>
    (await import("@toycoder/provider-anthropic")).anthropic({ ...settings, onSkipped }),
  openai: async (settings, { onSkipped }) =>
    (await import("@toycoder/provider-openai")).openAiResponses({ ...settings, onSkipped }),
  "openai-chat": async (settings, { onSkipped }) =>
    (await import("@toycoder/provider-openai")).openAiChat({ ...settings, onSkipped }),
  "openai-compatible": async (settings, { onSkipped }) =>
    (await import("@toycoder/provider-openai")).openAiCompatible({ ...settings, onSkipped }),
  replay: async ({ model }, { folder }) =>
    (await import("@toycoder/provider-replay")).replayModel(path.resolve(folder, model)),
};

/**
 * Makes the model that a config or `--model` names: `provider:model`, `auto`, or an object with settings.
 * Throws a SetupError `invalid_model` for a name that says no model, a ModelError `auth` where `auto` finds none.
 */
export async function createModel(
  choice: string | ModelConfig | undefined,
  baseURL: string | undefined,
  surroundings: Surroundings,
): Promise<Model> {
  const config = typeof choice === "object" ? choice : await parseModel(choice ?? "auto", surroundings.env);
  const { provider, ...settings } = baseURL === undefined ? config : { ...config, baseURL };
  const make = Object.hasOwn(PROVIDERS, provider) ? PROVIDERS[provider] : undefined;
  if (make === undefined) throw unknownProvider(provider);
  if (provider === "openai-compatible" && settings.baseURL === undefined) {
    throw new SetupError("invalid_model", `openai-compatible:${settings.model} needs to know its server`, {
      hint: "give --base-url http://…/v1, or baseURL beside the model in the config",
    });
  }
  return await make(settings, surroundings);
}

async function parseModel(text: string, env: Env): Promise<ModelConfig> {
  if (text === "auto") return await autoModel(env);
  const colon = text.indexOf(":");
  const provider = colon === -1 ? text : text.slice(0, colon);
  const model = colon === -1 ? "" : text.slice(colon + 1);
  if (colon === -1 || !Object.hasOwn(PROVIDERS, provider)) throw unknownProvider(provider);
  if (model === "") throw new SetupError("invalid_model", `the model ${text} lacks a name after the colon`);
  return { provider, model };
}

function unknownProvider(provider: string): SetupError {
  const names = Object.keys(PROVIDERS);
  const [near] = nearest(provider, names, 1);
  return new SetupError("invalid_model", `there is no provider ${JSON.stringify(provider)}`, {
    hint: `${near === undefined ? "" : `did you mean ${near}? `}A model is auto or PROVIDER:NAME, of ${names.join(", ")}`,
  });
}

async function autoModel(env: Env): Promise<ModelConfig> {
  if (env["ANTHROPIC_API_KEY"]) return { provider: "anthropic", model: DEFAULT_MODELS.anthropic };
  if (env["OPENAI_API_KEY"]) return { provider: "openai", model: DEFAULT_MODELS.openai };
  const local = await ollamaModel(env);
  if (local !== undefined) return local;
  throw new ModelError("auth", "there is no model to run on", {
    hint: "set ANTHROPIC_API_KEY or OPENAI_API_KEY, start Ollama with a model pulled, or name one: --model openai-compatible:NAME --base-url http://…/v1",
  });
}

/** The first model of an Ollama on this machine, or undefined where none answers within a second. */
async function ollamaModel(env: Env): Promise<ModelConfig | undefined> {
  const origin = env["OLLAMA_HOST"]?.startsWith("http") ? env["OLLAMA_HOST"].replace(/\/+$/, "") : OLLAMA;
  try {
    const answer = await fetch(`${origin}/v1/models`, { signal: AbortSignal.timeout(1000) });
    const list = (await answer.json()) as { data?: { id?: string }[] };
    const id = list.data?.[0]?.id;
    return id === undefined
      ? undefined
      : { provider: "openai-compatible", model: id, baseURL: `${origin}/v1` };
  } catch {
    return undefined;
  }
}

/** The chosen model in words, for `check`: never asks the network. */
export function describeModelChoice(choice: string | ModelConfig | undefined, env: Env): string {
  if (typeof choice === "object") return `${choice.provider}:${choice.model}`;
  if (choice !== undefined && choice !== "auto") return choice;
  const key = ["ANTHROPIC_API_KEY", "OPENAI_API_KEY"].find((name) => env[name]);
  return key === undefined ? "auto: no key is set, so a local Ollama is looked for" : `auto: by ${key}`;
}
