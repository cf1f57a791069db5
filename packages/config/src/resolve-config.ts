import type { Hooks, LevelDecision, OnAsk, PermissionLevel } from "@toycoder/core";
import type {
  McpServerEntry,
  ModelConfig,
  PluginEntry,
  PolicyTest,
  ToycoderConfig,
} from "./define-config.ts";
import { fillServers } from "./fill-servers.ts";
import { repeatedModel } from "./repeated-model.ts";
import { type ConfigProblem, placeOf } from "./shape.ts";
import { substitute } from "./substitute.ts";

/** A config with every key filled in, and every `${VAR}` put in. `model` stays open where it is not set. */
export interface ResolvedConfig {
  model: string | ModelConfig | undefined;
  plugins: readonly PluginEntry[];
  discover: boolean;
  tools: {
    enable: readonly string[];
    disable: readonly string[];
    versions: Readonly<Record<string, string>>;
    alias: Readonly<Record<string, string>>;
    maxVisible: number;
  };
  permissions: {
    levels: Partial<Record<PermissionLevel, LevelDecision>>;
    allow: readonly string[];
    ask: readonly string[];
    deny: readonly string[];
    protect: readonly string[];
    onAsk: OnAsk;
    tests: readonly PolicyTest[];
  };
  mcpServers: Readonly<Record<string, McpServerEntry>>;
  workspace: { roots: readonly string[] };
  /** What is not set stays open. */
  limits: NonNullable<ToycoderConfig["limits"]>;
  /** What is not set stays open. */
  sessions: { keepDays?: number; maxMegabytes?: number };
  /** Credential name → the environment variable that holds it. */
  credentials: Readonly<Record<string, string>>;
  hooks: Hooks;
  instructions: string;
  /** Of the final answer. */
  outputSchema: object | undefined;
}

/** The plugins of a project that names none. */
export const DEFAULT_PLUGINS: readonly string[] = ["files", "search", "shell", "question"];

export interface Resolution {
  config: ResolvedConfig;
  /** Environment variables whose values are credentials or went into headers: never to be passed on or shown. */
  secretVariables: readonly string[];
  problems: readonly ConfigProblem[];
}

/** What every process needs is no secret, wherever it goes. */
const PLAIN: ReadonlySet<string> = new Set([
  "HOME",
  "LOGNAME",
  "PATH",
  "PWD",
  "SHELL",
  "TERM",
  "TMPDIR",
  "USER",
]);

/** Fills in a valid config. `problems` names the variables that are not set. */
export function resolveConfig(given: ToycoderConfig, env: NodeJS.ProcessEnv): Resolution {
  const problems: ConfigProblem[] = [];
  const secrets = new Set<string>();
  const put = (value: string, place: string, secret: boolean): string => {
    const { text, variables, problems: found } = substitute(value, env, place);
    problems.push(...found);
    if (secret) for (const name of variables) if (!PLAIN.has(name)) secrets.add(name);
    return text;
  };
  const model = typeof given.model === "object" ? fillModel(given.model, put) : given.model;
  const repeated = typeof model === "object" ? repeatedModel(model) : undefined;
  if (repeated !== undefined) problems.push(repeated);
  const credentials = Object.fromEntries(
    Object.entries(given.credentials ?? {}).map(([name, from]) => {
      const variable = (typeof from === "string" ? from : from.env).replace(/^\$\{(\w+)\}$/, "$1");
      secrets.add(variable);
      return [name, variable];
    }),
  );
  const [mcpServers, wrong] = fillServers(given.mcpServers ?? {}, env, put);
  problems.push(...wrong);
  const { permissions = {} } = given;
  const config: ResolvedConfig = {
    model,
    plugins: given.plugins ?? DEFAULT_PLUGINS,
    discover: given.discover ?? false,
    tools: {
      enable: given.tools?.enable ?? [],
      disable: given.tools?.disable ?? [],
      versions: given.tools?.versions ?? {},
      alias: given.tools?.alias ?? {},
      maxVisible: given.tools?.maxVisible ?? 20,
    },
    permissions: {
      levels: permissions.levels ?? {},
      allow: permissions.allow ?? [],
      ask: permissions.ask ?? [],
      deny: permissions.deny ?? [],
      protect: permissions.protect ?? [],
      onAsk: permissions.onAsk ?? "deny",
      tests: permissions.tests ?? [],
    },
    mcpServers,
    workspace: { roots: given.workspace?.roots ?? [] },
    limits: given.limits ?? {},
    sessions: given.sessions ?? {},
    credentials,
    hooks: given.hooks ?? {},
    instructions: given.instructions ?? "",
    outputSchema: given.outputSchema,
  };
  return { config, secretVariables: [...secrets], problems };
}

type Put = (value: string, place: string, secret: boolean) => string;

function fillModel(model: ModelConfig, put: Put, place = "model"): ModelConfig {
  const { baseURL, apiKey, headers, fallback } = model;
  return {
    ...model,
    ...(baseURL === undefined ? {} : { baseURL: put(baseURL, `${place}.baseURL`, false) }),
    ...(apiKey === undefined ? {} : { apiKey: put(apiKey, `${place}.apiKey`, true) }),
    ...(headers === undefined ? {} : { headers: fillHeaders(headers, put, `${place}.headers`) }),
    ...(typeof fallback === "object" && { fallback: fillModel(fallback, put, `${place}.fallback`) }),
  };
}

const fillHeaders = (
  headers: Readonly<Record<string, string>>,
  put: Put,
  place: string,
): Record<string, string> =>
  Object.fromEntries(
    Object.entries(headers).map(([name, value]) => [name, put(value, placeOf(place, name), true)]),
  );
