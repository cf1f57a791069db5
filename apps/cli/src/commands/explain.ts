import { type Decision, judge } from "@toycoder/core";
import type { Command } from "../command.ts";
import { plainText } from "../render/plain-text.ts";
import { SETUP_FLAGS, setUp } from "../set-up.ts";
import { objectArgument, toolOf, validInput } from "./tool-argument.ts";

export const explain: Command = {
  usage: "TOOL [JSON]",
  summary: "what the policy says of a call, and why; nothing runs",
  details: `Example: toycoder explain run_command '{"command":"git push"}'`,
  flags: { ...SETUP_FLAGS, json: { help: "print one JSON object" } },
  async run(flags, io) {
    const [name, json] = flags.words;
    const args = objectArgument(json);
    const ready = await setUp(flags, io);
    try {
      const tool = toolOf(name, ready.registry);
      const session = ready.openSession();
      const { decision } = await judge(session, tool, await validInput(tool, args));
      const { code: _, suggestions: __, ...published } = decision;
      io.stdout.write(
        flags.has("json") ? `${JSON.stringify(published, null, 2)}\n` : describe(tool.name, decision),
      );
      return 0;
    } finally {
      await ready.dispose();
    }
  },
};

function describe(tool: string, { decision, reason, effects, suggestions }: Decision): string {
  const lines = [`${tool}: ${decision}`, `  because ${reason}`];
  if (effects.length === 0) lines.push("  it states no effects: judged by its name and level");
  for (const { kind, path, argv, host, implied, opaque } of effects) {
    const what = path ?? host ?? argv?.join(" ") ?? "";
    lines.push(`  effect: ${kind} ${what}${implied ? " (implied)" : ""}${opaque ? " (opaque)" : ""}`);
  }
  for (const rule of suggestions) lines.push(`  it would be allowed by the rule ${rule}`);
  return `${plainText(lines.join("\n"))}\n`;
}
