import { type AgentEvent, type Denial, emptyResult, type EventBody, stamp } from "@toycoder/agent";
import { text } from "@toycoder/core";
import { describe, expect, it } from "vitest";
import { commandsIn } from "../../test-support/runner-commands.ts";
import { annotations } from "./annotations.ts";
import { FailedCommands } from "./failed-commands.ts";

const denial = (command: string, code: string): Denial => ({
  tool: "run_command",
  arguments: { command },
  code,
  rule: null,
  suggestion: null,
  suggestions: [`run_command(${command})`],
});

describe("annotations", () => {
  it("are no more of one kind than GitHub shows, and leave nothing out", () => {
    const denials = Array.from({ length: 40 }, (_, index) =>
      denial(`c${index}`, index % 2 === 0 ? "approval_required" : "permission_denied"),
    );
    const result = {
      ...emptyResult("denied", { code: "x", message: "m" }),
      denials: [...denials, ...denials],
    };
    const found = commandsIn(annotations(result, []));
    for (const name of ["error", "notice"]) expect(found.filter((one) => one.name === name)).toHaveLength(10);
    const told = found.map(({ data }) => data).join("\n");
    for (let index = 0; index < 40; index++) expect(told).toContain(`--allow 'run_command(c${index})'`);
    expect(found.map(({ properties }) => properties["title"])).toContain("toycoder: 11 more refused calls");
  });

  it("are none for a run that went well", () => {
    expect(annotations(emptyResult("completed", null), [])).toBe("");
  });
});

describe("FailedCommands", () => {
  const call = (callId: string, command: string): EventBody[] => [
    { type: "tool_call", turn: 1, callId, name: "run_command", arguments: JSON.stringify({ command }) },
  ];
  const end = (callId: string, header: string, ok = true): EventBody => ({
    type: "tool_result",
    turn: 1,
    callId,
    name: "run_command",
    ok,
    content: [text(header)],
    notes: [],
    durationMs: 1,
  });

  it("are those whose last run failed", () => {
    const failed = new FailedCommands();
    const see = (...bodies: EventBody[]): void => bodies.map(stamp).forEach((event) => failed.see(event));
    see(...call("1", "npm test"), end("1", "[exit 1 · 0.30 s]\nno"), ...call("2", "npm run lint"));
    see(
      end("2", "[ended by SIGKILL · 9 s · sandbox]\n"),
      ...call("3", "true"),
      end("3", "[exit 0 · 0.01 s]\n"),
    );
    const nested: AgentEvent[] = [...call("1", "tsc"), end("1", "[exit 130 (128 + SIGINT) · 1 s]")].map(
      (body) => ({
        ...stamp(body),
        parent: "task",
      }),
    );
    nested.forEach((event) => failed.see(event));
    expect(failed.list()).toEqual([
      { command: "npm test", end: "exit 1" },
      { command: "npm run lint", end: "ended by SIGKILL" },
      { command: "tsc", end: "exit 130 (128 + SIGINT)" },
    ]);
    see(
      ...call("4", "npm test"),
      end("4", "[exit 0 · 0.30 s]"),
      ...call("5", "npm run lint"),
      end("5", "Error", false),
    );
    expect(failed.list().map(({ command }) => command)).toEqual(["npm run lint", "tsc"]);
  });
});
