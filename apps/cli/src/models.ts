import path from "node:path";
import type { ModelConfig } from "@toycoder/config";
import { type Model, ModelError, nearest, SetupError } from "@toycoder/core";
import { fromPlugin, type Providers } from "./plugin-providers.ts";
import type { ModelSettings, SkippedTool } from "@toycoder/core/wire";
import type { CompatibleSettings } from "@toycoder/provider-openai";

/** What `auto` takes of each provider. From the model lists of the providers' SDKs on 2026-11-30. */
export const DEFAULT_MODELS = { anthropic: "claude-sonnet-5-5", openai: "gpt-6.2-sol" } as const;

/** Where Ollama listens unless told otherwise (its documentation, FAQ). */
const OLLAMA = "http://127.0.0.1:11434";

/** The environment variables that hold providers' keys: no tool's process gets to see them, and no cassette. */
export const PROVIDER_KEYS: readonly string[] = [
  "ANTHROPIC_API_KEY",
  "ANTHROPIC_AUTH_TOKEN",
  "OPENAI_API_KEY",
  "OPENAI_COMPATIBLE_API_KEY",
  "DASHSCOPE_API_KEY",
  "DEEPSEEK_API_KEY",
  "GEMINI_API_KEY",
  "GOOGLE_API_KEY",
  "GROQ_API_KEY",
  "MISTRAL_API_KEY",
  "OPENROUTER_API_KEY",
];

type Env = Readonly<Record<string, string | undefined>>;
type Settings = Omit<ModelConfig, "provider" | "fallback" | "quirks"> & Pick<ModelSettings, "wrapFetch">;

export interface Surroundings {
  env: Env;
  /** Relative cassettes start here. */
  folder: string;
  /** What plugins bring, by the providers' names. */
  providers?: Providers;
  /** Told, at each call, which tools the provider can't be offered and why. */
  onSkipped?: (skipped: readonly SkippedTool[]) => void;
  /** Where given, a replay goes on where the run departs from its cassette, and tells it here. */
  onDeparture?: (departure: string) => void;
  /** Put around the fetch of every model. */
  wrapFetch?: ModelSettings["wrapFetch"];
}

/** Each provider, loaded when a model of it is made. */
const PROVIDERS: Readonly<
  Record<
    string,
    (settings: Settings, surroundings: Surroundings, quirks: ModelConfig["quirks"]) => Promise<Model>
  >
> = {
  anthropic: async (settings, { onSkipped }) =>
    (await import("@toycoder/provider-anthropic")).anthropic({ ...settings, onSkipped }),
  openai: async (settings, { onSkipped }) =>
    (await import("@toycoder/provider-openai")).openAiResponses({ ...settings, onSkipped }),
  "openai-chat": async (settings, { onSkipped }) =>
    (await import("@toycoder/provider-openai")).openAiChat({ ...settings, onSkipped }),
  "openai-compatible": async (settings, { onSkipped }, quirks) =>
    (await import("@toycoder/provider-openai")).openAiCompatible({
      ...settings,
      // It checks them itself: a config says them in any words.
      quirks: quirks as CompatibleSettings["quirks"],
      onSkipped,
    }),
  replay: async ({ model }, { folder, onDeparture }) =>
    (await import("@toycoder/provider-replay")).replayModel(path.resolve(folder, model), { onDeparture }),
};

/** The names that no plugin's provider can take. */
export const PROVIDER_NAMES: readonly string[] = ["auto", ...Object.keys(PROVIDERS)];

/**
 * Makes the model that a config or `--model` names: `provider:model`, `auto`, or an object with settings; with its
 * fallback, where it has one. `baseURL` is for the first.
 * Throws a SetupError `invalid_model` for a name that says no model, a ModelError `auth` where `auto` finds none.
 */
export async function createModel(
  choice: string | ModelConfig | undefined,
  baseURL: string | undefined,
  surroundings: Surroundings,
): Promise<Model> {
  const config = typeof choice === "object" ? choice : await parseModel(choice ?? "auto", surroundings);
  const { provider, fallback, quirks, ...settings } = baseURL === undefined ? config : { ...config, baseURL };
  const { providers } = surroundings;
  const brought = providers?.get(provider);
  const builtin = Object.hasOwn(PROVIDERS, provider) ? PROVIDERS[provider] : undefined;
  const make = brought === undefined ? builtin : fromPlugin(brought);
  if (make === undefined) throw unknownProvider(provider, providers);
  if (provider === "openai-compatible" && settings.baseURL === undefined) {
    throw new SetupError("invalid_model", `openai-compatible:${settings.model} needs to know its server`, {
      hint: "give --base-url http://…/v1, or baseURL beside the model in the config",
    });
  }
  if (quirks !== undefined && provider !== "openai-compatible") {
    throw new SetupError("invalid_model", `${provider}:${settings.model} has no quirks`, {
      hint: "they are for openai-compatible; take them out, or take that provider",
    });
  }
  const { wrapFetch } = surroundings;
  const model = await make({ ...settings, ...(wrapFetch && { wrapFetch }) }, surroundings, quirks);
  if (fallback === undefined) return model;
  const { withFallback } = await import("@toycoder/core/wire");
  return withFallback(model, await createModel(fallback, undefined, surroundings));
}

async function parseModel(text: string, { env, providers }: Surroundings): Promise<ModelConfig> {
  if (text === "auto") return await autoModel(env);
  const colon = text.indexOf(":");
  const provider = colon === -1 ? text : text.slice(0, colon);
  const model = colon === -1 ? "" : text.slice(colon + 1);
  const isKnown = Object.hasOwn(PROVIDERS, provider) || providers?.has(provider) === true;
  if (colon === -1 || !isKnown) throw unknownProvider(provider, providers);
  if (model === "") throw new SetupError("invalid_model", `the model ${text} lacks a name after the colon`);
  return { provider, model };
}

function unknownProvider(provider: string, providers: Providers | undefined): SetupError {
  const names = [...Object.keys(PROVIDERS), ...(providers?.keys() ?? [])];
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
      : { provider: "openai-compatible", model: id, baseURL: `${origin}/v1`, quirks: "ollama" };
  } catch {
    return undefined;
  }
}

/** The chosen model in words, for `check`: never asks the network. */
export function describeModelChoice(choice: string | ModelConfig | undefined, env: Env): string {
  if (typeof choice === "object") {
    const { provider, model, fallback } = choice;
    const first = `${provider}:${model}`;
    return fallback === undefined ? first : `${first}, else ${describeModelChoice(fallback, env)}`;
  }
  if (choice !== undefined && choice !== "auto") return choice;
  const key = ["ANTHROPIC_API_KEY", "OPENAI_API_KEY"].find((name) => env[name]);
  return key === undefined ? "auto: no key is set, so a local Ollama is looked for" : `auto: by ${key}`;
}
