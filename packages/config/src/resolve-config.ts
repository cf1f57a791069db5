import type { Hooks, LevelDecision, OnAsk, PermissionLevel } from "@toycoder/core";
import type { ModelConfig, PluginEntry, PolicyTest, ToycoderConfig } from "./define-config.ts";
import { type ConfigProblem, placeOf } from "./shape.ts";
import { substitute } from "./substitute.ts";

/** A config with every key filled in, and every `${VAR}` put in. `model` stays open where it is not set. */
export interface ResolvedConfig {
  model: string | ModelConfig | undefined;
  plugins: readonly PluginEntry[];
  tools: { enable: readonly string[]; disable: readonly string[] };
  permissions: {
    levels: Partial<Record<PermissionLevel, LevelDecision>>;
    allow: readonly string[];
    ask: readonly string[];
    deny: readonly string[];
    protect: readonly string[];
    onAsk: OnAsk;
    tests: readonly PolicyTest[];
  };
  workspace: { roots: readonly string[] };
  limits: { turns: number | undefined };
  /** Credential name → the environment variable that holds it. */
  credentials: Readonly<Record<string, string>>;
  hooks: Hooks;
  instructions: string;
}

export const DEFAULT_PLUGINS: readonly string[] = ["files", "search", "shell", "question"];

export interface Resolution {
  config: ResolvedConfig;
  /** Environment variables whose values are credentials or went into headers: never to be passed on or shown. */
  secretVariables: readonly string[];
  problems: readonly ConfigProblem[];
}

/** Fills in a valid config. `problems` names the variables that are not set. */
export function resolveConfig(given: ToycoderConfig, env: NodeJS.ProcessEnv): Resolution {
  const problems: ConfigProblem[] = [];
  const secrets = new Set<string>();
  const put = (value: string, place: string, secret: boolean): string => {
    const { text, variables, problems: found } = substitute(value, env, place);
    problems.push(...found);
    if (secret) for (const name of variables) secrets.add(name);
    return text;
  };
  const model = typeof given.model === "object" ? fillModel(given.model, put) : given.model;
  const credentials = Object.fromEntries(
    Object.entries(given.credentials ?? {}).map(([name, from]) => {
      const variable = (typeof from === "string" ? from : from.env).replace(/^\$\{(\w+)\}$/, "$1");
      secrets.add(variable);
      return [name, variable];
    }),
  );
  const { permissions = {} } = given;
  const config: ResolvedConfig = {
    model,
    plugins: given.plugins ?? DEFAULT_PLUGINS,
    tools: { enable: given.tools?.enable ?? [], disable: given.tools?.disable ?? [] },
    permissions: {
      levels: permissions.levels ?? {},
      allow: permissions.allow ?? [],
      ask: permissions.ask ?? [],
      deny: permissions.deny ?? [],
      protect: permissions.protect ?? [],
      onAsk: permissions.onAsk ?? "deny",
      tests: permissions.tests ?? [],
    },
    workspace: { roots: given.workspace?.roots ?? [] },
    limits: { turns: given.limits?.turns },
    credentials,
    hooks: given.hooks ?? {},
    instructions: given.instructions ?? "",
  };
  return { config, secretVariables: [...secrets], problems };
}

function fillModel(
  model: ModelConfig,
  put: (value: string, place: string, secret: boolean) => string,
): ModelConfig {
  const { baseURL, headers } = model;
  return {
    ...model,
    ...(baseURL === undefined ? {} : { baseURL: put(baseURL, "model.baseURL", false) }),
    ...(headers === undefined ? {} : { headers: fillHeaders(headers, put) }),
  };
}

const fillHeaders = (
  headers: Readonly<Record<string, string>>,
  put: (value: string, place: string, secret: boolean) => string,
): Record<string, string> =>
  Object.fromEntries(
    Object.entries(headers).map(([name, value]) => [name, put(value, placeOf("model.headers", name), true)]),
  );
