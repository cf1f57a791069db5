import type { AgentEvent, RunResult } from "@toycoder/agent";
import { textOf, wholeCharacters } from "@toycoder/core";
import { liveLine } from "./live-line.ts";
import { type Paint, painter } from "./paint.ts";
import type { Renderer } from "./renderer.ts";

type EventOf<T extends AgentEvent["type"]> = Extract<AgentEvent, { type: T }>;

/** `--output text`: the answer on stdout; turns, calls, decisions, diffs and the outcome on stderr. */
export function textRenderer(stdout: NodeJS.WriteStream, stderr: NodeJS.WriteStream): Renderer {
  const paint = painter(stderr);
  const calls = new Map<string, EventOf<"tool_call">>();
  const decisions = new Map<string, EventOf<"decision">>();
  let finalText: string | undefined;
  const live = liveLine(stderr);
  const say = (line: string): void => {
    live.clear();
    stderr.write(`${line}\n`);
  };

  return {
    event(event) {
      switch (event.type) {
        case "session_start":
          say(paint.dim(`${event.model} in ${event.workspace}, session ${event.sessionId}`));
          break;
        case "turn_start":
          say(paint.bold(`turn ${event.turn}`));
          break;
        case "text":
          finalText = event.text;
          break;
        case "tool_call":
          if (finalText !== undefined) say(indent(finalText.trim(), "  "));
          finalText = undefined;
          calls.set(event.callId, event);
          break;
        case "decision":
          decisions.set(event.callId, event);
          break;
        case "tool_progress":
          live.show(`  … ${event.tool} ${event.message}`);
          break;
        case "tool_result":
          say(describeResult(event, calls.get(event.callId), decisions.get(event.callId), paint));
          break;
        case "retry": {
          const wait = `again in ${(event.delayMs / 1000).toFixed(1)} s (try ${event.attempt + 1})`;
          say(paint.yellow(`  ! ${event.error.message}; ${wait}`));
          break;
        }
        case "notice":
          say(event.code === "status" ? paint.dim(event.message) : paint.yellow(`  ! ${event.message}`));
          break;
        default:
      }
    },
    result(result) {
      live.clear();
      if (result.text !== "") stdout.write(`${result.text.trimEnd()}\n`);
      for (const line of summary(result, paint)) say(line);
    },
  };
}

function describeResult(
  result: EventOf<"tool_result">,
  call: EventOf<"tool_call"> | undefined,
  decision: EventOf<"decision"> | undefined,
  paint: Paint,
): string {
  const mark = result.ok ? paint.green("✓") : paint.red("✗");
  const content = textOf(result.content);
  const by = decision?.rule == null ? "" : `, ${VERBS[decision.decision]} by ${decision.rule}`;
  const note = paint.dim(`  ${headerOf(content)}${result.durationMs} ms${by}`);
  const head = `  ${mark} ${result.name} ${describeArguments(call?.arguments)}${note}`;
  if (!result.ok) return `${head}\n${paint.red(indent(clip(content, 6), "    "))}`;
  const diff = content.indexOf("--- ");
  if (diff === -1 || !content.includes("\n@@ ")) return head;
  return `${head}\n${indent(paintDiff(clip(content.slice(diff), 60), paint), "    ")}`;
}

const VERBS = { allow: "allowed", ask: "asked", deny: "denied", disabled: "disabled" } as const;

/** The header that a result starts with, as in `[exit 1 · 0.3 s]`. */
function headerOf(content: string): string {
  const header = /^\[([^\]\n]{1,120})\]/.exec(content)?.[1];
  return header === undefined ? "" : `${header}, `;
}

/** What a call is about: its path, command or pattern where it has one, else all of its arguments. */
function describeArguments(given: unknown): string {
  const whole = typeof given === "string" ? given : JSON.stringify(given ?? {});
  const main = mainArguments(given).join(" ");
  const text = (main === "" ? whole : main).replaceAll(/\s+/g, " ");
  return text.length > 160 ? `${text.slice(0, wholeCharacters(text, 159))}…` : text;
}

const MAIN_ARGUMENTS = ["command", "pattern", "path", "url", "question"];

function mainArguments(given: unknown): string[] {
  try {
    const args: unknown = typeof given === "string" ? JSON.parse(given) : given;
    if (typeof args !== "object" || args === null) return [];
    const values = MAIN_ARGUMENTS.map((key): unknown => Reflect.get(args, key));
    return values.filter((value) => typeof value === "string");
  } catch {
    return [];
  }
}

function clip(text: string, lines: number): string {
  const all = text.trimEnd().split("\n");
  return all.length <= lines
    ? all.join("\n")
    : [...all.slice(0, lines), `… ${all.length - lines} more lines`].join("\n");
}

const indent = (text: string, by: string): string => text.replaceAll(/^/gm, by);

function paintDiff(diff: string, paint: Paint): string {
  return diff
    .split("\n")
    .map((line) => (line.startsWith("+") ? paint.green(line) : line.startsWith("-") ? paint.red(line) : line))
    .join("\n");
}

function summary(result: RunResult, paint: Paint): string[] {
  const { turns, toolCalls, durationMs, usage, changes, denials, error } = result;
  const good = result.exitCode === 0;
  const tokens = `${usage.inputTokens} tokens in, ${usage.outputTokens} out`;
  const counts = `${plural(turns, "turn")}, ${plural(toolCalls, "call")}, ${(durationMs / 1000).toFixed(1)} s, ${tokens}`;
  const head = `${result.status}${good ? "" : ` (exit ${result.exitCode})`}`;
  const lines = [`${good ? paint.green(head) : paint.red(head)} ${paint.dim(`after ${counts}`)}`];
  if (error !== null)
    lines.push(`  ${paint.red(error.message)}${error.hint === undefined ? "" : `\n  ${error.hint}`}`);
  for (const { path, kind, additions, deletions } of changes) {
    lines.push(`  ${kind} ${path} ${paint.green(`+${additions}`)} ${paint.red(`-${deletions}`)}`);
  }
  for (const { tool, arguments: args, code, rule, suggestions } of denials) {
    const why = rule === null ? code : `${code} by ${rule}`;
    const way =
      suggestions.length === 0
        ? ""
        : `; it would need ${suggestions.map((one) => `--allow '${one}'`).join(" ")}`;
    lines.push(`  refused ${tool} ${describeArguments(args)}: ${why}${way}`);
  }
  return lines;
}

const plural = (count: number, noun: string): string => `${count} ${noun}${count === 1 ? "" : "s"}`;
