import type { Hooks, LevelDecision, OnAsk, PermissionLevel, Plugin, PluginFactory } from "@toycoder/core";
import type { ReasoningEffort } from "@toycoder/core/wire";

/** What `toycoder.config.ts` holds. Every key may be left out; an unknown one is an error, at any depth. */
export interface ToycoderConfig {
  /** `provider:name`, `auto`, or the model with its settings. */
  model?: string | ModelConfig;
  /** Default: the built-in files, search, shell and question. */
  plugins?: readonly PluginEntry[];
  tools?: {
    /** Names of tools to enable: dangerous ones start disabled. */
    enable?: readonly string[];
    /** Names of tools to disable: they are not offered to the model. */
    disable?: readonly string[];
  };
  permissions?: PermissionsConfig;
  workspace?: {
    /** Further folders the agent may touch, relative to the workspace, absolute or with `~`. */
    roots?: readonly string[];
  };
  limits?: {
    /** The most turns a run may take, at least 1. */
    turns?: number;
  };
  /** Credential name → the environment variable that holds its value. Never the value itself. */
  credentials?: Readonly<Record<string, string | { readonly env: string }>>;
  hooks?: Hooks;
  /** Joins the system prompt, after AGENTS.md. */
  instructions?: string;
}

/** A model with its settings. `${VAR}` in `baseURL` and in header values is taken from the environment. */
export interface ModelConfig {
  provider: string;
  model: string;
  baseURL?: string;
  reasoningEffort?: ReasoningEffort;
  maxOutputTokens?: number;
  temperature?: number;
  headers?: Readonly<Record<string, string>>;
}

export interface PermissionsConfig {
  levels?: Partial<Record<PermissionLevel, LevelDecision>>;
  allow?: readonly string[];
  ask?: readonly string[];
  deny?: readonly string[];
  /** Paths that no call may write, beside those that are always protected. */
  protect?: readonly string[];
  /** What becomes of a question that nobody is there to answer. Default `deny`. */
  onAsk?: OnAsk;
  tests?: readonly PolicyTest[];
}

/** A call (tool, arguments) and what the policy must say of it. */
export type PolicyTest = readonly [
  tool: string,
  args: Readonly<Record<string, unknown>>,
  expected: "allow" | "ask" | "deny" | "disabled",
];

/**
 * One entry of `plugins`: a built-in or package name, a path or glob that starts with `./` or `../`, a factory, a
 * plugin, a pair of one of these with the plugin's options, a list of entries, or a falsy value, which is skipped.
 */
export type PluginEntry =
  | string
  | Plugin
  | PluginFactory<never>
  | readonly [plugin: string | PluginFactory<never>, options: Readonly<Record<string, unknown>>]
  | readonly PluginEntry[]
  | false
  | null
  | undefined
  | 0;

/** Gives the config back as it is; it is there for its types. */
export function defineConfig(config: ToycoderConfig): ToycoderConfig {
  return config;
}
