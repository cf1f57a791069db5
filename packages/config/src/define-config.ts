import type {
  Hooks,
  LevelDecision,
  ModelPrices,
  OnAsk,
  PermissionLevel,
  Plugin,
  PluginFactory,
} from "@toycoder/core";
import type { ReasoningEffort } from "@toycoder/core/wire";

/** What `toycoder.config.ts` holds. Every key may be left out; an unknown one is an error, at any depth. */
export interface ToycoderConfig {
  /** `provider:name`, `auto`, or the model with its settings. */
  model?: string | ModelConfig;
  /** Default: the built-in files, search, shell and question. */
  plugins?: readonly PluginEntry[];
  /** Whether the direct dependencies of the config's folder with the keyword `toycoder-plugin` are plugins, too. */
  discover?: boolean;
  tools?: {
    /** Names of tools to enable: dangerous ones start disabled. */
    enable?: readonly string[];
    /** Names of tools to disable: they are not offered to the model. */
    disable?: readonly string[];
    /** Tool → the semver range of the version to use, where several are there. Default: the newest. */
    versions?: Readonly<Record<string, string>>;
    /**
     * Tool → another name to offer it to the model under; rules keep naming the tool itself. `PLUGIN/TOOL` → another
     * name for everything, where two plugins have a tool of one name.
     */
    alias?: Readonly<Record<string, string>>;
    /** With more enabled tools than that, the model is offered a core of them and searches for others. Default 20. */
    maxVisible?: number;
  };
  permissions?: PermissionsConfig;
  /** Name → an MCP server. Blocks of other hosts (Claude, VS Code, Cursor) can stand here as they are. */
  mcpServers?: Readonly<Record<string, McpServerEntry>>;
  workspace?: {
    /** Further folders the agent may touch, relative to the workspace, absolute or with `~`. */
    roots?: readonly string[];
  };
  limits?: {
    /** The most turns a run may take, at least 1. Default: 50. */
    turns?: number;
    /** The most tool calls. */
    toolCalls?: number;
    /** The most tokens, of prompts and answers together. */
    tokens?: number;
    /** USD; it takes a model whose prices are known. */
    costUsd?: number;
    minutes?: number;
  };
  /** How long sessions are kept on disk, and up to what size all together. Default: 30 days, 1024 MB. */
  sessions?: {
    keepDays?: number;
    maxMegabytes?: number;
  };
  /** Credential name → the environment variable that holds its value. Never the value itself. */
  credentials?: Readonly<Record<string, string | { readonly env: string }>>;
  hooks?: Hooks;
  /** Joins the system prompt, after AGENTS.md. */
  instructions?: string;
  /**
   * What a run's final answer must be: a JSON Schema, or a schema of zod 4 or another Standard JSON Schema. A run
   * whose answer does not fit fails. `--output-schema` goes before it.
   */
  outputSchema?: object;
  /** Settings by name, for `--profile NAME`: objects are merged by key, lists added to, all else replaced. */
  profiles?: Readonly<Record<string, Profile>>;
}

/** One MCP server. `${VAR}` in texts is taken from the environment; in `env`, `headers` and `bearerToken` it counts as secret. */
export interface McpServerEntry {
  /** Default: `stdio` with a `command`, `http` (with `sse` as fallback) with a `url`. */
  type?: "stdio" | "http" | "streamable-http" | "sse";
  command?: string;
  args?: readonly string[];
  /** All that the server's process gets to see, beside HOME, LOGNAME, PATH, SHELL, TERM and USER. */
  env?: Readonly<Record<string, string>>;
  /** Relative to the workspace. Default: the workspace. */
  cwd?: string;
  url?: string;
  headers?: Readonly<Record<string, string>>;
  /** Sent as `Authorization: Bearer …`. */
  bearerToken?: string;
  disabled?: boolean;
  /** Without it nothing is begun: exit code 8. */
  required?: boolean;
  /** The level of its tools. Default: sensitive. */
  permission?: PermissionLevel;
  /** Glob of tool names, as the server has them → level. The last one that fits counts. */
  tools?: Readonly<Record<string, PermissionLevel>>;
  /** Globs of the tools to take. Default: all. */
  include?: readonly string[];
  /** Globs of tools to leave out. */
  exclude?: readonly string[];
  /** Whether the server's own word on what its tools do decides their level, where `tools` does not. */
  trustAnnotations?: boolean;
  /** Default: 30. */
  startSeconds?: number;
  /** Without an answer or a sign of progress. Default: 60. */
  callSeconds?: number;
  /** With progress. Default: 1800. */
  maxCallSeconds?: number;
}

/** What is put over the config by `--profile NAME`. Hooks are the config's own: they hold in every profile. */
export type Profile = Omit<ToycoderConfig, "profiles" | "hooks">;

/** A model with its settings. `${VAR}` in `baseURL`, `apiKey` and header values is taken from the environment. */
export interface ModelConfig {
  provider: string;
  model: string;
  baseURL?: string;
  reasoningEffort?: ReasoningEffort;
  maxOutputTokens?: number;
  temperature?: number;
  headers?: Readonly<Record<string, string>>;
  /** `${NAME}` of the environment variable that holds the key; default: the provider's own variable. */
  apiKey?: string;
  /** For `openai-compatible`: the server (`ollama`, `vllm`, `deepseek`, …), or single differences; see docs/providers.md. */
  quirks?: string | Readonly<Record<string, string | boolean>>;
  /** In tokens; default: what we know of the model. */
  contextWindow?: number;
  /** USD per million tokens; default: the list price, where we know it. */
  prices?: ModelPrices;
  /** Takes over for the rest of the conversation when this model is overloaded, or limits its rate, for good. */
  fallback?: string | ModelConfig;
}

/** A config's `permissions`. */
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
 * `optional: true` among the options leaves a plugin out that can't be loaded or set up; the plugin never sees it.
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

type UntypedPair = readonly [
  plugin: string | PluginFactory<never>,
  options: Readonly<Record<string, unknown>>,
];

/**
 * An entry whose pair of a factory and options is held to the factory's own type of options. Where that can't be told
 * (a list from elsewhere), any options pass here; the plugin checks them.
 */
type TypedEntry<Input> =
  | Exclude<PluginEntry, UntypedPair>
  | readonly [plugin: string, options: Readonly<Record<string, unknown>>]
  | readonly [plugin: PluginFactory<Input>, options: NoInfer<Input> & { readonly optional?: boolean }]
  | ([Input] extends [never] ? UntypedPair : unknown extends Input ? UntypedPair : never);

/** Gives the config back as it is; it is there for its types, those of the plugins' options included. */
export function defineConfig<Inputs extends readonly unknown[]>(
  config: Omit<ToycoderConfig, "plugins"> & {
    plugins?: readonly [...{ [K in keyof Inputs]: TypedEntry<Inputs[K]> }];
  },
): ToycoderConfig {
  return config;
}
