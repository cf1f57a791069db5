import assert from "node:assert/strict";
import { isModelError, type ModelErrorKind } from "@toycoder/core";
import { eventsOf, type ModelRun } from "../run-model.ts";
import { STANDARD } from "./ask-wire.ts";

/** The calls of a run as [id, name, arguments], the arguments parsed. */
export const callsOf = (run: Pick<ModelRun, "events">): [id: string, name: string, input: unknown][] =>
  eventsOf(run, "tool_call").map(({ call }) => [call.id, call.name, parsed(call.arguments)]);

export const parsed = (value: unknown): unknown =>
  typeof value === "string" && value !== "" ? (JSON.parse(value) as unknown) : value === "" ? {} : value;

const STANDARD_CALLS = STANDARD.calls.map((call) => [call.id, call.name, parsed(call.arguments)]);

/** The standard answer came out, whole and once; what a retry made void is left out. */
export function isStandard(run: ModelRun, retries = 0): void {
  assert.equal(run.thrown, undefined);
  assert.equal(run.text, STANDARD.text);
  assert.equal(eventsOf(run, "retry").length, retries, "the number of retries");
  const last = run.events.findLastIndex(({ type }) => type === "retry");
  const after = { events: run.events.slice(last + 1) };
  assert.deepEqual(callsOf(after), STANDARD_CALLS);
  assert.deepEqual(
    eventsOf(after, "usage").map(({ usage }) => usage),
    [STANDARD.usage],
  );
  assert.deepEqual(eventsOf(run, "finish"), [{ type: "finish", reason: "tool_calls" }]);
  assert.equal(run.events.at(-1)?.type, "finish", "finish is the last event");
}

/** The run threw a ModelError of this kind, and said this. */
export function failedWith(run: ModelRun, kind: ModelErrorKind, said = ""): void {
  const { thrown } = run;
  assert.ok(isModelError(thrown), `a ModelError is thrown, not ${String(thrown)}`);
  assert.equal(thrown.kind, kind, thrown.message);
  assert.ok(thrown.message.includes(said), `${thrown.message} says ${said}`);
}
