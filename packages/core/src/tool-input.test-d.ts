import { type } from "arktype";
import { describe, expectTypeOf, it } from "vitest";
import { z } from "zod";
import { z as foreign } from "zod-foreign";
import { z as three } from "zod3";
import type { Failure } from "./errors.ts";
import { fail } from "./errors.ts";
import type { Effect } from "./permission/effect.ts";
import { definePlugin } from "./plugin.ts";
import type { InputSchema } from "./schema/input-schema.ts";
import { jsonSchema } from "./schema/raw-schema.ts";
import { defineTool, type Tool } from "./tool.ts";

const about = { name: "t", description: "d" };

describe("execute gets the schema's output type", () => {
  it("zod 4", () => {
    defineTool({
      ...about,
      input: z.object({
        path: z.string(),
        limit: z.number().default(1),
        note: z.string().optional(),
        mode: z.enum(["a", "b"]),
        size: z.string().transform((text) => text.length),
        shape: z.discriminatedUnion("kind", [
          z.object({ kind: z.literal("circle"), r: z.number() }),
          z.object({ kind: z.literal("square"), side: z.number() }),
        ]),
      }),
      execute: (input) => {
        expectTypeOf(input).toEqualTypeOf<{
          path: string;
          limit: number;
          note?: string | undefined;
          mode: "a" | "b";
          size: number;
          shape: { kind: "circle"; r: number } | { kind: "square"; side: number };
        }>();
        // @ts-expect-error there is no such key
        void input.pth;
        // @ts-expect-error only a circle has a radius
        void input.shape.r;
        return input.shape.kind === "circle" ? input.shape.r : input.shape.side;
      },
    });
  });

  it("a foreign copy of zod 4", () => {
    defineTool({
      ...about,
      input: foreign.object({ path: foreign.string(), limit: foreign.number().default(1) }),
      execute: (input) => expectTypeOf(input).toEqualTypeOf<{ path: string; limit: number }>(),
    });
  });

  it("zod 3", () => {
    defineTool({
      ...about,
      input: three.object({
        path: three.string(),
        limit: three.number().default(1),
        note: three.string().optional(),
        size: three.string().transform((text) => text.length),
      }),
      execute: (input) =>
        expectTypeOf(input).toEqualTypeOf<{
          path: string;
          limit: number;
          note?: string | undefined;
          size: number;
        }>(),
    });
  });

  it("ArkType", () => {
    defineTool({
      ...about,
      input: type({ path: "string", "limit?": "number", mode: "'a' | 'b'", n: "string.numeric.parse" }),
      execute: (input) =>
        expectTypeOf(input).toEqualTypeOf<{ path: string; limit?: number; mode: "a" | "b"; n: number }>(),
    });
  });

  it("raw JSON Schema: an open object, or what is said", () => {
    defineTool({
      ...about,
      input: jsonSchema({ type: "object" }),
      execute: (input) => expectTypeOf(input).toEqualTypeOf<Record<string, unknown>>(),
    });
    defineTool({
      ...about,
      input: jsonSchema<{ path: string }>({ type: "object", properties: { path: { type: "string" } } }),
      execute: (input) => expectTypeOf(input).toEqualTypeOf<{ path: string }>(),
    });
    const constant = { type: "object", required: ["a"] } as const;
    expectTypeOf(jsonSchema(constant)).toExtend<InputSchema<Record<string, unknown>>>();
  });

  it("a union and a record at the root", () => {
    defineTool({
      ...about,
      input: z.union([z.object({ a: z.string() }), z.object({ b: z.number() })]),
      execute: (input) => expectTypeOf(input).toEqualTypeOf<{ a: string } | { b: number }>(),
    });
    defineTool({
      ...about,
      input: z.record(z.string(), z.number()),
      execute: (input) => expectTypeOf(input).toEqualTypeOf<Record<string, number>>(),
    });
  });
});

describe("what is wrong is an error", () => {
  it("a default of the wrong type", () => {
    expectTypeOf(z.number().default).toBeCallableWith(1);
    // @ts-expect-error a text is no default of a number
    z.object({ limit: z.number().default("many") });
    // @ts-expect-error a text is no default of a number
    three.object({ limit: three.number().default("many") });
  });

  it("an execute that takes something else", () => {
    const input = z.object({ path: z.string() });
    const right = defineTool({ ...about, input, execute: (given: { path: string }) => given.path });
    expectTypeOf(right).toEqualTypeOf<Tool<{ path: string }, string>>();
    defineTool({
      ...about,
      input: z.object({ path: z.string() }),
      // @ts-expect-error path is a string
      execute: (input: { path: number }) => input.path,
    });
    defineTool({
      ...about,
      input: three.object({ path: three.string() }),
      // @ts-expect-error path is a string
      execute: (input: { path: number }) => input.path,
    });
  });

  it("a schema that cannot describe itself", () => {
    expectTypeOf(jsonSchema).toBeCallableWith({ type: "object" });
    const validator = {
      "~standard": { version: 1 as const, vendor: "x", validate: () => ({ value: { a: 1 } }) },
    };
    // @ts-expect-error it has no JSON Schema
    defineTool({ ...about, input: validator, execute: () => 1 });
    // @ts-expect-error a JSON Schema alone is no input; jsonSchema(...) makes one of it
    defineTool({ ...about, input: { type: "object" }, execute: () => 1 });
    // @ts-expect-error jsonSchema takes an object
    jsonSchema(true);
  });
});

describe("the rest follows from input and output", () => {
  it("effects, timeoutMs and toModel", () => {
    const tool = defineTool({
      ...about,
      input: z.object({ path: z.string(), seconds: z.number().default(1) }),
      effects: (input) => {
        expectTypeOf(input).toEqualTypeOf<{ path: string; seconds: number }>();
        return [{ kind: "read", path: input.path }];
      },
      timeoutMs: (input) => input.seconds * 1000,
      execute: async (input) => ({ lines: [input.path] }),
      toModel: (output) => {
        expectTypeOf(output).toEqualTypeOf<{ lines: string[] }>();
        return output.lines.join("\n");
      },
    });
    expectTypeOf(tool).toEqualTypeOf<Tool<{ path: string; seconds: number }, { lines: string[] }>>();
    expectTypeOf(tool).toExtend<Tool>();
    defineTool({
      ...about,
      input: z.object({}),
      // @ts-expect-error there is no such input
      timeoutMs: (input) => input.seconds,
      execute: () => 1,
    });
  });

  it("an effect of a kind that there isn't", () => {
    expectTypeOf<Effect["kind"]>().toEqualTypeOf<"read" | "write" | "exec" | "net">();
    defineTool({
      ...about,
      input: z.object({ path: z.string() }),
      // @ts-expect-error no such kind
      effects: ({ path }) => [{ kind: "look", path }],
      execute: () => 1,
    });
  });

  it("a failure is no output", () => {
    const tool = defineTool({
      ...about,
      input: z.object({ n: z.number() }),
      execute: ({ n }) => (n > 1 ? n : fail("too_small", "it is too small")),
    });
    expectTypeOf(tool.execute).returns.toEqualTypeOf<number | Failure | Promise<number | Failure>>();
  });

  it("a plugin's options", () => {
    const plugin = definePlugin({
      name: "p",
      version: "1.0.0",
      api: 1,
      options: z.object({ seconds: z.number().default(1) }),
      setup: (options) => {
        expectTypeOf(options).toEqualTypeOf<{ seconds: number }>();
        return { tools: [] };
      },
    });
    plugin({});
    // @ts-expect-error seconds is a number
    plugin({ seconds: "1" });
    definePlugin({
      name: "p",
      version: "1.0.0",
      api: 1,
      options: three.object({ seconds: three.number() }),
      setup: (options) => {
        expectTypeOf(options).toEqualTypeOf<{ seconds: number }>();
        return { tools: [] };
      },
    });
  });
});
