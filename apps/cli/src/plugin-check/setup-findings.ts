import { isSetupError, messageOf, type Plugin, type PluginContext, type PluginParts } from "@toycoder/core";
import type { Finding, WatchedEffect } from "@toycoder/testing";
import type { InspectionTask } from "./inspection.ts";

const UNKNOWN = "notAnOption";
const DOING = {
  write: "writes",
  read: "reads",
  process: "starts",
  network: "connects to",
  database: "sends",
} as const;

/** What is wrong with what setup did, and with what it says of an option that it does not have. */
export async function setupFindings(
  seen: readonly WatchedEffect[],
  task: InspectionTask,
  load: (options: InspectionTask["options"]) => Promise<Plugin>,
  context: PluginContext,
): Promise<Finding[]> {
  const findings: Finding[] = seen.map(({ kind, what }) => ({
    severity: "warning",
    code: kind === "network" ? "setup_connects" : "setup_acts",
    place: "setup",
    message: `it ${DOING[kind]} ${what}`,
    fix: "do it when a tool is called: a plugin is set up at each run, also where nobody calls it",
  }));
  if (task.isPackage) findings.push(...(await optionFindings(task, load, context)));
  return findings;
}

async function optionFindings(
  { options }: InspectionTask,
  load: (options: InspectionTask["options"]) => Promise<Plugin>,
  context: PluginContext,
): Promise<Finding[]> {
  const found = (message: string, severity: Finding["severity"], code: string): Finding[] => [
    {
      severity,
      code,
      place: "options",
      message,
      fix: "check them with a schema that names the key: options: z.strictObject({ … })",
    },
  ];
  let parts: PluginParts;
  try {
    parts = await (await load({ ...options, [UNKNOWN]: 1 })).setup(context);
  } catch (error) {
    const message = messageOf(error);
    // Called with its options in the module: none are taken.
    if (/called already/.test(message)) return [];
    const isNamed = isSetupError(error) && message.includes(UNKNOWN);
    return isNamed ? [] : found(`of an unknown one it says: ${message}`, "error", "options_unnamed");
  }
  await Promise.resolve(parts.dispose?.()).catch(() => {});
  return found(
    "an unknown one is taken without a word: a mistyped name goes unseen",
    "warning",
    "options_open",
  );
}
