import type { Decision } from "@toycoder/core";
import type { ParsedFlags } from "../flags.ts";
import { describeModelChoice } from "../models.ts";
import { type SetUp, statusOf } from "../set-up.ts";
import { type ConfigValue, configValues } from "./config-values.ts";
import { type ModelKey, modelKey } from "./model-key.ts";
import { type RuleFinding, ruleFindings } from "./rule-findings.ts";

/** A policy test that did not come out as the config says. */
export interface FailedTest {
  test: string;
  expected: string;
  found: Decision["decision"];
  reason: string;
}

/** What `toycoder check --json` prints. docs/config.md describes it. */
export interface Report {
  schemaVersion: 1;
  config: string | null;
  /** The person's defaults that were read. */
  person: string | null;
  profile: string | null;
  workspace: string;
  /** In words. */
  model: string;
  /** Null for a model that may need none. */
  modelKey: ModelKey | null;
  plugins: { name: string; version: string; tools: string[] }[];
  tools: { name: string; version: string; level: string; enabled: boolean; plugin: string | null }[];
  /** What commands run in; null where no plugin runs any. */
  sandbox: string | null;
  /** All that is in force beside the config's values, by name. */
  status: Readonly<Record<string, string>>;
  rules: { allow: number; ask: number; deny: number; findings: RuleFinding[] };
  policyTests: { passed: number; failed: FailedTest[] };
  credentials: { name: string; variable: string; present: boolean }[];
  limits: Readonly<Record<string, unknown>>;
  values: ConfigValue[];
}

export function reportOf(
  ready: SetUp,
  failed: readonly FailedTest[],
  flags: ParsedFlags,
  env: NodeJS.ProcessEnv,
): Report {
  const { loaded, workspace, policy, plugins, registry } = ready;
  const { config } = loaded;
  const status = statusOf(ready);
  const session = ready.openSession();
  const tools = registry.list({ includeDeprecated: true });
  const own = tools.flatMap((tool) => tool.requiresAuth).map((name) => [name, name]);
  const credentials = { ...(Object.fromEntries(own) as Record<string, string>), ...config.credentials };
  return {
    schemaVersion: 1,
    config: loaded.file ?? null,
    person: loaded.person ?? null,
    profile: loaded.profile ?? null,
    workspace: workspace.root,
    model: describeModelChoice(config.model, env),
    modelKey: modelKey(config.model, env),
    plugins: plugins.map(({ plugin, parts }) => ({
      name: plugin.name,
      version: plugin.version,
      tools: parts.tools.map((tool) => tool.name),
    })),
    tools: tools.map((tool) => ({
      name: tool.name,
      version: tool.version,
      level: tool.permission,
      enabled: session.isEnabled(tool),
      plugin: registry.origin(tool.name).plugin ?? null,
    })),
    sandbox: status["sandbox"] ?? null,
    status,
    rules: {
      allow: policy.allow.length,
      ask: policy.ask.length,
      deny: policy.deny.length,
      findings: ruleFindings(policy, registry, config.tools.disable),
    },
    policyTests: { passed: config.permissions.tests.length - failed.length, failed: [...failed] },
    credentials: Object.entries(credentials).map(([name, variable]) => ({
      name,
      variable,
      present: Boolean(env[variable]),
    })),
    limits: { turns: 50, ...config.limits },
    values: configValues(loaded, flags, env),
  };
}
