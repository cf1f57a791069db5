import type { Denial, RunResult } from "@toycoder/agent";
import { describeCall } from "./describe-call.ts";
import type { FailedCommand } from "./failed-commands.ts";
import { cutBytes } from "./markdown.ts";
import { workflowCommand } from "./workflow-command.ts";

type Level = "error" | "warning" | "notice";

/** How many of one kind GitHub shows for a step (actions/toolkit, `docs/problem-matchers.md`, "Limitations"). */
const SHOWN = 10;
const MESSAGE_BYTES = 8000;

/** What a run ended with as annotations: errors for what failed it, warnings, notices for the policy at work. */
export function annotations(result: RunResult, failed: readonly FailedCommand[]): string {
  const { status, exitCode, error } = result;
  const told: Record<Level, string[]> = { error: [], warning: [], notice: [] };
  const tell = (level: Level, title: string, message: string): void =>
    void told[level].push(workflowCommand(level, cutBytes(message, MESSAGE_BYTES), `toycoder: ${title}`));
  if (exitCode !== 0) {
    const what =
      error === null ? "no reason is known" : [error.message, error.hint].filter(Boolean).join("\n");
    tell("error", [status, error?.code].filter(Boolean).join(", "), `${what} (exit ${exitCode})`);
  }
  const list = failed.map(({ command, end }) => `${command}: ${end}`);
  if (list.length > 0) tell("warning", "commands whose last run failed", list.join("\n"));
  // What a rule is lacking for failed the run; a denial by the policy is as it should be.
  for (const level of ["error", "notice"] as const) {
    const denials = unique(result.denials.filter(({ code }) => levelOf(code) === level).map(describeDenial));
    const room = SHOWN - told[level].length;
    const alone = denials.length <= room ? denials : denials.slice(0, room - 1);
    const rest = denials.slice(alone.length);
    for (const { title, message } of alone) tell(level, title, message);
    if (rest.length > 0) {
      const all = rest.map(({ title, message }) => `${title}: ${message}`).join("\n");
      tell(level, `${rest.length} more refused calls`, all);
    }
  }
  return [...told.error, ...told.warning, ...told.notice].join("");
}

const levelOf = (code: string): Level =>
  code === "permission_denied" || code === "outside_workspace" ? "notice" : "error";

function describeDenial({ tool, arguments: given, code, rule, suggestions }: Denial): Described {
  const why = rule === null ? code : `${code} by ${rule}`;
  const way = suggestions.length === 0 ? "" : `\nTo permit it: ${suggestions.map(allowFlag).join(" ")}`;
  return { title: `${tool} was refused`, message: `${describeCall(tool, given)}: ${why}${way}` };
}

interface Described {
  title: string;
  message: string;
}

/** The flag that brings a rule, quoted for a shell. */
export const allowFlag = (rule: string): string => `--allow '${rule.replaceAll("'", String.raw`'\''`)}'`;

const unique = (all: readonly Described[]): Described[] => [
  ...new Map(all.map((one) => [one.message, one])).values(),
];
