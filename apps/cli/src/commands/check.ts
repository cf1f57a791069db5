import { type Decision, judge } from "@toycoder/core";
import type { Command } from "../command.ts";
import { describeModelChoice } from "../models.ts";
import { SETUP_FLAGS, type SetUp, setUp, statusOf } from "../set-up.ts";
import { toolOf, validInput } from "./tool-argument.ts";

/** A policy test that did not come out as the config says. */
interface FailedTest {
  test: string;
  expected: string;
  found: Decision["decision"];
  reason: string;
}

export const check: Command = {
  usage: "",
  summary: "checks the config, its rules, policy tests, plugins and credentials",
  details: "Exit codes: 0 all is well, 3 the config is wrong, 9 a policy test failed.",
  flags: { ...SETUP_FLAGS, json: { help: "print one JSON object" } },
  async run(flags, io) {
    const ready = await setUp(flags, io);
    try {
      const failed = await failedTests(ready);
      const report = reportOf(ready, failed, io.env);
      io.stdout.write(flags.has("json") ? `${JSON.stringify(report, null, 2)}\n` : textOf(report));
      return failed.length === 0 ? 0 : 9;
    } finally {
      await ready.dispose();
    }
  },
};

async function failedTests(ready: SetUp): Promise<FailedTest[]> {
  const session = ready.openSession();
  const failed: FailedTest[] = [];
  for (const [name, args, expected] of ready.loaded.config.permissions.tests) {
    const tool = toolOf(name, ready.registry);
    const { decision } = await judge(session, tool, await validInput(tool, { ...args }));
    if (decision.decision === expected) continue;
    const test = `${name} ${JSON.stringify(args)}`;
    failed.push({ test, expected, found: decision.decision, reason: decision.reason });
  }
  return failed;
}

interface Report {
  config: string | null;
  workspace: string;
  model: string;
  plugins: { name: string; version: string; tools: string[] }[];
  /** What commands run in; null where no plugin runs any. */
  sandbox: string | null;
  /** All that plugins say is in force, by name. */
  status: Readonly<Record<string, string>>;
  rules: { allow: number; ask: number; deny: number };
  policyTests: { passed: number; failed: FailedTest[] };
  credentials: { name: string; variable: string; present: boolean }[];
}

function reportOf(ready: SetUp, failed: FailedTest[], env: NodeJS.ProcessEnv): Report {
  const { loaded, workspace, policy, plugins } = ready;
  const { config } = loaded;
  const status = statusOf(ready);
  return {
    config: loaded.file ?? null,
    workspace: workspace.root,
    model: describeModelChoice(config.model, env),
    plugins: plugins.map(({ plugin, parts }) => ({
      name: plugin.name,
      version: plugin.version,
      tools: parts.tools.map((tool) => tool.name),
    })),
    sandbox: status["sandbox"] ?? null,
    status,
    rules: { allow: policy.allow.length, ask: policy.ask.length, deny: policy.deny.length },
    policyTests: { passed: config.permissions.tests.length - failed.length, failed },
    credentials: Object.entries(config.credentials).map(([name, variable]) => ({
      name,
      variable,
      present: Boolean(env[variable]),
    })),
  };
}

function textOf(report: Report): string {
  const { rules, policyTests } = report;
  const lines = [
    `config       ${report.config ?? "none found: the defaults hold"}`,
    `workspace    ${report.workspace}`,
    `model        ${report.model}`,
    ...report.plugins.map(
      ({ name, version, tools }) => `plugin       ${name} ${version}: ${tools.join(", ")}`,
    ),
    ...Object.entries(report.status).map(([name, state]) => `${name.padEnd(12)} ${state}`),
    `rules        ${rules.allow} allow, ${rules.ask} ask, ${rules.deny} deny`,
    `policy tests ${policyTests.passed} passed, ${policyTests.failed.length} failed`,
    ...policyTests.failed.map(
      (one) => `  ✗ ${one.test}: expected ${one.expected}, is ${one.found}: ${one.reason}`,
    ),
    ...report.credentials.map(
      (one) => `credential   ${one.name}: ${one.variable} is ${one.present ? "set" : "not set"}`,
    ),
  ];
  return `${lines.join("\n")}\n`;
}
