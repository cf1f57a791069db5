import { fail, type Failure, ToolError } from "@toycoder/core";
import type { Denial, RunResult } from "./result.ts";
import type { RunOptions } from "./run-options.ts";
import type { SubagentTask } from "./run-state.ts";
import type { Emit } from "./turn.ts";
import type { VisibleTools } from "./visible-tools.ts";

/** A subagent that runs. */
export interface Subagent {
  /** A file has changed. */
  noteChange(): void;
  toResult(): Promise<RunResult>;
}

/** Makes a subagent's loop. `only` are the names that it may call, as the model knows them. */
export type StartSubagent = (options: RunOptions, only: ReadonlySet<string>, emit: Emit) => Subagent;

export interface SubagentsParts {
  /** The parent's. */
  options: RunOptions;
  tools: VisibleTools;
  /** A subagent's denials join these. */
  denials: Denial[];
  emit: Emit;
  start: StartSubagent;
}

const MOST_AT_ONCE = 8;
/** What a subagent is never given: it starts no others, and its tools stay what they are. */
const WITHHELD: ReadonlySet<string> = new Set(["task", "tool_search"]);

/** The subagents of one run. */
export class Subagents {
  readonly #parts: SubagentsParts;
  readonly #running = new Map<Subagent, Promise<unknown>>();

  constructor(parts: SubagentsParts) {
    this.#parts = parts;
  }

  /** Runs a subagent to its end; gives what the parent's model is to know of it. Its events name `callId` as parent. */
  async run({ prompt, tools }: SubagentTask, callId: string, signal: AbortSignal): Promise<string | Failure> {
    if (this.#running.size >= MOST_AT_ONCE)
      return fail("too_many", `${MOST_AT_ONCE} subagents run already`, { hint: "wait for their results" });
    const { options, denials, emit, start } = this.#parts;
    const subagent = start(subagentOptions(options, prompt, signal), this.#choose(tools), (body) => {
      if (body.type !== "session_start") emit({ ...body, parent: callId });
    });
    const ending = subagent.toResult();
    this.#running.set(subagent, ending);
    try {
      const result = await ending;
      denials.push(...result.denials);
      return report(result);
    } finally {
      this.#running.delete(subagent);
    }
  }

  noteChange(): void {
    for (const subagent of this.#running.keys()) subagent.noteChange();
  }

  /** Resolves when none runs any more. */
  async settled(): Promise<void> {
    await Promise.allSettled(this.#running.values());
  }

  #choose(wanted: readonly string[] | undefined): ReadonlySet<string> {
    const names = this.#parts.tools.list().flatMap(({ name }) => (WITHHELD.has(name) ? [] : [name]));
    if (wanted === undefined) return new Set(names);
    const lacking = wanted.filter((name) => !names.includes(name));
    if (lacking.length === 0) return new Set(wanted);
    throw new ToolError("invalid_arguments", `tools: a subagent cannot have ${lacking.join(", ")}`, {
      hint: `it can have ${names.join(", ")}`,
    });
  }
}

/** The parent's, for a conversation of its own. Changes are the parent's to tell. */
function subagentOptions(parent: RunOptions, task: string, signal: AbortSignal): RunOptions {
  const { output: _, history: __, lastTurn: ___, changes: ____, ...shared } = parent;
  const instructions = `${parent.instructions}\n\n${SUBAGENT_INSTRUCTIONS}`;
  return { ...shared, instructions, task, signal };
}

const SUBAGENT_INSTRUCTIONS =
  "You are a subagent: another agent gave you a part of its work, and nobody else reads along. Do what the task says and no more. Your last answer goes back to that agent as it is: make it whole, with paths and facts.";

function report({ status, text, error, denials }: RunResult): string | Failure {
  const refused = denials.map(
    ({ tool, code, suggestion }) =>
      `${tool}: ${code}${suggestion === null ? "" : `, permissions.allow would need ${JSON.stringify(suggestion)}`}`,
  );
  const notes =
    refused.length === 0 ? "" : `\n[calls of the subagent that were refused: ${refused.join("; ")}]`;
  if (status === "completed" || status === "denied") return `${text}${notes}`;
  const { code, message, hint } = error ?? { code: status, message: "it did not end well", hint: undefined };
  const said = text === "" ? "" : `\nWhat it said last: ${text}`;
  return fail(code, `the subagent ended as ${status}: ${message}${said}${notes}`, {
    ...(hint !== undefined && { hint }),
  });
}
