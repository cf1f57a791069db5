import { expectTypeOf, test } from "vitest";
import type { z } from "zod";
import type { AgentEvent } from "./event.ts";
import type { RunResult } from "./result.ts";
import type { eventSchema } from "./test-support/event-schema.ts";
import type { resultSchema } from "./test-support/result-schema.ts";

/** A type with all that is read-only and every intersection written out. */
type Plain<T> = T extends readonly (infer Item)[]
  ? readonly Plain<Item>[]
  : T extends object
    ? { readonly [Key in keyof T]: Plain<T[Key]> }
    : T;

test("the schema of the result has every field of the type, and no other", () => {
  expectTypeOf<Plain<z.infer<typeof resultSchema>>>().toEqualTypeOf<Plain<RunResult>>();
});

test("the schema of the events has every field of every type, and no other", () => {
  expectTypeOf<Plain<z.infer<typeof eventSchema>>>().toEqualTypeOf<Plain<AgentEvent>>();
});
