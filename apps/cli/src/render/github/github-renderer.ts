import { appendFileSync, statSync } from "node:fs";
import { messageOf } from "@toycoder/core";
import type { Io } from "../../io.ts";
import type { Renderer } from "../renderer.ts";
import { type TextOptions, textRenderer } from "../text.ts";
import { annotations } from "./annotations.ts";
import { describeCall, oneLine } from "./describe-call.ts";
import { FailedCommands } from "./failed-commands.ts";
import { inertStream } from "./inert-stream.ts";
import { stepOutputs } from "./step-outputs.ts";
import { stepSummary, SUMMARY_BYTES } from "./step-summary.ts";
import { workflowCommand } from "./workflow-command.ts";

/** Whether a GitHub Actions runner reads the streams ("Variables reference", "Default environment variables"). */
export const onGitHub = ({ env }: Io): boolean => env["GITHUB_ACTIONS"] === "true";

/**
 * `--output text` on a GitHub Actions runner: the calls of each turn in a group, the outcome as annotations, a step
 * summary, and step outputs. Commands go to stderr, so that stdout stays the answer, and no other text is one.
 */
export function githubRenderer(io: Io, options?: TextOptions): Renderer {
  const stdout = inertStream(io.stdout);
  const stderr = inertStream(io.stderr);
  const shown = textRenderer(stdout.stream, stderr.stream, options);
  const failed = new FailedCommands();
  let task = "";
  let calls: string[] = [];
  let grouped = false;
  const command = (line: string): void => {
    stderr.flush();
    io.stderr.write(line);
  };
  const endGroup = (): void => {
    if (grouped) command(workflowCommand("endgroup"));
    grouped = false;
  };
  return {
    event(event) {
      failed.see(event);
      const own = event.parent === undefined;
      if (event.type === "session_start") task = event.task;
      if (own && event.type === "turn_start") endGroup();
      if (own && event.type !== "tool_call" && calls.length > 0) {
        endGroup();
        command(workflowCommand("group", oneLine(calls.join(" · "), 300)));
        grouped = true;
        calls = [];
      }
      if (own && event.type === "tool_call") calls.push(describeCall(event.name, event.arguments));
      shown.event(event);
    },
    result(result) {
      endGroup();
      shown.result(result);
      stdout.flush();
      command(annotations(result, failed.list()));
      const problems = [
        append(io.env["GITHUB_STEP_SUMMARY"], (used) =>
          stepSummary(task, result, failed.list(), SUMMARY_BYTES - used),
        ),
        append(io.env["GITHUB_OUTPUT"], () => stepOutputs(result)),
      ].filter((problem) => problem !== undefined);
      if (problems.length > 0) command(workflowCommand("notice", problems.join("\n"), "toycoder"));
    },
  };
}

/** Appends to a file that the runner names. What goes wrong is told, and ends nothing. */
function append(file: string | undefined, make: (used: number) => string): string | undefined {
  if (file === undefined || file === "") return undefined;
  try {
    const used = statSync(file, { throwIfNoEntry: false })?.size ?? 0;
    appendFileSync(file, make(used));
    return undefined;
  } catch (error) {
    return `not written: ${messageOf(error)}`;
  }
}
