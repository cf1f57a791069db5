import type { AgentEvent } from "@toycoder/agent";
import { textOf } from "@toycoder/core";
import { commandOf, oneLine } from "./describe-call.ts";

/** A command whose last run in the task failed. */
export interface FailedCommand {
  command: string;
  /** As in `exit 1`. */
  end: string;
}

/** Watches a run for commands that fail, and forgets those that succeed later: what is left are failing checks. */
export class FailedCommands {
  readonly #commands = new Map<string, string>();
  readonly #failed = new Map<string, string>();

  see(event: AgentEvent): void {
    if (event.type === "tool_call" && event.name === "run_command") {
      const command = commandOf(event.arguments);
      if (command !== undefined) this.#commands.set(keyOf(event), command);
    }
    if (event.type !== "tool_result") return;
    const command = this.#commands.get(keyOf(event));
    if (command === undefined) return;
    this.#commands.delete(keyOf(event));
    const end = /^\[((?:exit|ended by) [^\]\n·]+?) ·/.exec(textOf(event.content))?.[1];
    if (end !== undefined && end !== "exit 0") this.#failed.set(command, end);
    else if (event.ok) this.#failed.delete(command);
  }

  list(): FailedCommand[] {
    return [...this.#failed].map(([command, end]) => ({ command: oneLine(command, 200), end }));
  }
}

/** A call's id is unique in one conversation only. */
const keyOf = ({ parent = "", callId }: { parent?: string; callId: string }): string => `${parent} ${callId}`;
