import assert from "node:assert/strict";
import { type Message, text } from "@toycoder/core";
import { say } from "../run-model.ts";
import { call, calls, PNG, result, results, sentFor } from "./conversation.ts";
import type { ContractCase, ModelWire } from "./subject.ts";

/** What keeps a provider's prompt cache warm, where the protocol has it. */
export function cachingCases(wire: ModelWire): ContractCase[] {
  const cases: ContractCase[] = [];
  if (wire.caching?.includes("key") === true) {
    cases.push({
      name: "a session has one key for the prompt cache, of 64 characters at most",
      run: async () => {
        const keyOf = async (sessionId: string) => (await sentFor(wire, { sessionId })).cacheKey ?? "";
        for (const id of ["s-1", "x".repeat(200)]) {
          const key = await keyOf(id);
          assert.match(key, /^.{1,64}$/);
          assert.equal(await keyOf(id), key);
          assert.notEqual(await keyOf(`${id}2`), key);
        }
      },
    });
  }
  if (wire.caching?.includes("marks") === true) {
    cases.push({
      name: "a conversation of any length has marks for the prompt cache, four at most",
      run: async () => {
        const turns = (count: number): Message[] =>
          Array.from({ length: count }, (_, index) => [
            calls(call(`c${index}`, "{}")),
            results(result(`c${index}`, text("r"), PNG)),
            say("more"),
          ]).flat();
        for (const count of [0, 1, 2, 9]) {
          const { cacheMarks = 0 } = await sentFor(wire, { messages: [say("hi"), ...turns(count)] });
          assert.ok(cacheMarks >= 3 && cacheMarks <= 4, `${cacheMarks} marks after ${count} turns`);
        }
      },
    });
  }
  return cases;
}
