import { nearest } from "@toycoder/core";
import type { Command } from "../command.ts";
import type { ParsedFlags } from "../flags.ts";
import type { Io } from "../io.ts";
import { SETUP_FLAGS } from "../set-up.ts";
import { UsageError } from "../usage-error.ts";
import { version } from "../version.ts";
import { objectArgument } from "./tool-argument.ts";

type Action = (flags: ParsedFlags, io: Io) => Promise<number>;

const ACTIONS: Readonly<Record<string, Action>> = {
  list: async (flags, io) => (await import("../plugins/list-plugins.ts")).listPlugins(flags, io),
  check,
  add: async (flags, io) => (await import("../plugins/add-plugin.ts")).addPlugin(flags, io),
};

export const plugin: Command = {
  usage: "[list | check [FOLDER|PACKAGE] | add PACKAGE]",
  summary: "the plugins of the config; check tests one before it is published",
  details: `check: exit code 9 where it finds errors, with --strict where it finds warnings, too.
add: installs with the project's package manager, and puts the plugin into the config.
Example: toycoder plugin check .`,
  flags: {
    config: SETUP_FLAGS["config"] ?? { help: "" },
    profile: SETUP_FLAGS["profile"] ?? { help: "" },
    cwd: SETUP_FLAGS["cwd"] ?? { help: "" },
    options: { value: "JSON", help: "check, add: the plugin's options, as a JSON object" },
    strict: { help: "check: warnings count as errors" },
    "no-install": { help: "add: only edit the config" },
    json: { help: "print one JSON object" },
  },
  async run(flags, io) {
    const action = flags.words[0] ?? "list";
    const run = Object.hasOwn(ACTIONS, action) ? ACTIONS[action] : undefined;
    if (run !== undefined) return await run(flags, io);
    const [near] = nearest(action, Object.keys(ACTIONS), 1);
    throw new UsageError(
      `plugin has no ${action}`,
      near === undefined
        ? "it has list, check and add; toycoder create plugin NAME makes one"
        : `did you mean ${near}?`,
    );
  },
};

async function check(flags: ParsedFlags, io: Io): Promise<number> {
  const [, given = ".", ...more] = flags.words;
  if (more.length > 0)
    throw new UsageError("plugin check takes one plugin", "toycoder plugin check ./my-plugin");
  const { checkPlugin } = await import("../plugin-check/check-plugin.ts");
  const { checkText } = await import("../plugin-check/check-text.ts");
  const options = flags.get("options");
  const report = await checkPlugin(given, {
    cwd: flags.get("cwd") ?? io.cwd,
    env: io.env,
    signal: io.signal,
    options: options === undefined ? {} : objectArgument(options),
    version: version(),
  });
  io.stdout.write(flags.has("json") ? `${JSON.stringify(report, null, 2)}\n` : checkText(report));
  const failed = report.errors > 0 || (flags.has("strict") && report.warnings > 0);
  return failed ? 9 : 0;
}
