import { judge, type Judged, SetupError } from "@toycoder/core";
import { type FailedTest, reportOf } from "../check/report.ts";
import { reportText } from "../check/report-text.ts";
import type { Command } from "../command.ts";
import { chooseOutputSchema } from "../run/output-schema.ts";
import { SETUP_FLAGS, type SetUp, setUp } from "../set-up.ts";
import { UsageError } from "../usage-error.ts";
import { toolOf, validInput } from "./tool-argument.ts";

export const check: Command = {
  usage: "",
  summary: "checks the config, its rules, policy tests, plugins and credentials",
  details: `Exit codes: 0 all is well, 3 the config is wrong, 9 a policy test failed.
Example: toycoder check --json`,
  flags: {
    ...SETUP_FLAGS,
    connect: { help: "start the MCP servers, too" },
    json: { help: "print one JSON object" },
  },
  async run(flags, io) {
    const ready = await setUp(flags, io, {
      // A policy test of a server's tool needs the server.
      connect: ({ permissions }) =>
        flags.has("connect") || permissions.tests.some(([name]) => name.includes("__")),
    });
    try {
      // A schema that can't be used throws.
      await chooseOutputSchema(undefined, ready.loaded, io);
      const failed = await failedTests(ready);
      const report = reportOf(ready, failed, flags, io.env);
      io.stdout.write(flags.has("json") ? `${JSON.stringify(report, null, 2)}\n` : reportText(report));
      return failed.length === 0 ? 0 : 9;
    } finally {
      await ready.dispose();
    }
  },
};

async function failedTests(ready: SetUp): Promise<FailedTest[]> {
  const session = ready.openSession();
  const failed: FailedTest[] = [];
  const decide = async (name: string, args: Readonly<Record<string, unknown>>): Promise<Judged> => {
    const tool = toolOf(name, ready.registry);
    return await judge(session, tool, await validInput(tool, { ...args }));
  };
  for (const [index, [name, args, expected]] of ready.loaded.config.permissions.tests.entries()) {
    const { decision } = await decide(name, args).catch((error: unknown) => {
      // It is the config that names the tool here, not the command line.
      if (!(error instanceof UsageError)) throw error;
      const place = `permissions.tests[${index}]`;
      throw new SetupError("config_invalid", `${place}: ${error.message}`, {
        hint: error.hint,
        cause: error,
      });
    });
    if (decision.decision === expected) continue;
    const test = `${name} ${JSON.stringify(args)}`;
    failed.push({ test, expected, found: decision.decision, reason: decision.reason });
  }
  return failed;
}
