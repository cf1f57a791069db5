import { readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { z } from "zod";
import { fail, ToolError } from "../errors.ts";
import { textOf } from "../message.ts";
import { call, codeOf, type Execute, open, tool } from "../test-support/open-session.ts";
import { defineTool } from "../tool.ts";
import { dispatchAll } from "./dispatch.ts";

describe("execute, whatever a tool does", () => {
  const cyclic: Record<string, unknown> = { name: "x" };
  cyclic["self"] = cyclic;
  const rejecting = (value: unknown) => () => {
    throw value;
  };
  it.each<[string, Execute, string, string]>([
    ["throws a string", rejecting("boom"), "execution_failed", "boom"],
    ["throws undefined", rejecting(undefined), "execution_failed", "no reason was given"],
    ["throws a frozen error", rejecting(Object.freeze(new Error("cold"))), "execution_failed", "cold"],
    [
      "throws a hostile object",
      rejecting(new Proxy({}, { get: rejecting(new Error("trap")), has: () => true })),
      "execution_failed",
      "cannot be shown",
    ],
    [
      "throws a ToolError",
      rejecting(new ToolError("not_found", "no such", { hint: "look" })),
      "not_found",
      "Hint: look",
    ],
    ["returns a failure", () => fail("too_big", "it is too big"), "too_big", "it is too big"],
    ["rejects", () => Promise.reject(new Error("later")), "execution_failed", "later"],
    ["returns nothing", () => undefined, "ok", "(no output)"],
    ["returns a cycle", () => cyclic, "ok", '{"name":"x","self":"(circular)"}'],
    ["returns a BigInt", () => ({ n: 10n }), "ok", '{"n":"10"}'],
    ["returns a Map", () => new Map([["a", 1]]), "ok", '[["a",1]]'],
    ["returns bytes", () => Buffer.from("hi"), "ok", "base64:aGk="],
    ["returns an invalid date", () => ({ at: new Date(Number.NaN) }), "ok", "(invalid date)"],
    ["has a throwing toJSON", () => ({ toJSON: rejecting(new Error("no")) }), "ok", "cannot be shown"],
  ])("%s", async (_, execute, code, text) => {
    const result = await call(open([tool("odd", execute)]), "odd");
    expect(codeOf(result)).toBe(code);
    expect(textOf(result.content)).toContain(text);
    expect(textOf(result.content)).not.toMatch(/\n\s+at /);
  });

  it("ends at the time limit, also where the tool ignores the signal and rejects later", async () => {
    let late: (reason: Error) => void = () => {};
    const stuck = tool("stuck", () => new Promise((_, reject) => (late = reject)), { timeoutMs: 5 });
    const result = await call(open([stuck]), "stuck");
    expect(result).toMatchObject({ error: { code: "timeout", message: "it did not finish within 0.005 s" } });
    late(new Error("too late to matter"));
  });

  it("takes a limit from the input and passes the signal on", async () => {
    const seen: unknown[] = [];
    const waiting = defineTool({
      name: "waiting",
      description: "Waits.",
      input: z.object({ ms: z.number() }),
      timeoutMs: ({ ms }) => ms,
      execute: (_, ctx) =>
        new Promise<string>((resolve) => {
          ctx.signal.addEventListener("abort", () => {
            seen.push((ctx.signal.reason as ToolError).code);
            resolve("stopped");
          });
        }),
    });
    expect(codeOf(await call(open([waiting]), "waiting", { ms: 5 }))).toBe("timeout");
    expect(seen).toEqual(["timeout"]);
  });

  it("is cancelled before and during a call", async () => {
    const controller = new AbortController();
    const stuck = tool("stuck", () => {
      controller.abort();
      return new Promise(() => {});
    });
    const session = open([stuck]);
    expect(codeOf(await call(session, "stuck", {}, { signal: controller.signal }))).toBe("cancelled");
    expect(codeOf(await call(session, "stuck", {}, { signal: controller.signal }))).toBe("cancelled");
  });
});

describe("finish", () => {
  it("cuts at a whole character and keeps the whole", async () => {
    const long = `${"a".repeat(9)}😀${"b".repeat(100)}`;
    const session = open([tool("long", () => long)], {}, { maxResultChars: 10 });
    const result = await call(session, "long");
    const shown = textOf(result.content);
    expect(shown.startsWith("aaaaaaaaa\n[cut after 9 of 111 characters; the whole is session:c1.txt")).toBe(
      true,
    );
    expect(readFileSync(session.resolve("session:c1.txt").real, "utf8")).toBe(long);
    expect(result).toMatchObject({ ok: true, output: long });
    session.dispose();
  });

  it("takes 100 MB", async () => {
    const session = open([tool("huge", () => "x".repeat(100_000_000))]);
    expect(textOf((await call(session, "huge")).content).length).toBeLessThan(31_000);
    session.dispose();
  });

  it("holds the output against its schema", async () => {
    const counted = (value: unknown) =>
      tool("counted", () => value, { output: z.object({ rows: z.number() }) });
    expect(await call(open([counted({ rows: 3 })]), "counted")).toMatchObject({ output: { rows: 3 } });
    const wrong = await call(open([counted({ rows: "3" })]), "counted");
    expect(codeOf(wrong)).toBe("execution_failed");
    expect(textOf(wrong.content)).toContain("returned something else than it says: rows: ");
  });

  it("gives the model what toModel says", async () => {
    const shaped = tool("shaped", () => ({ rows: 3 }), {
      toModel: ({ rows }: { rows: number }) => `${rows} rows`,
    });
    expect(await call(open([shaped]), "shaped")).toMatchObject({
      output: { rows: 3 },
      content: [{ type: "text", text: "3 rows" }],
    });
  });
});

describe("composition", () => {
  it("passes the same permissions", async () => {
    const outer = tool("outer", async (_, ctx) => codeOf(await ctx.dispatch("inner", {})));
    const inner = tool("inner", () => "x", { permission: "sensitive" });
    expect(await call(open([outer, inner]), "outer")).toMatchObject({ output: "approval_required" });
    expect(await call(open([outer, inner], { allow: ["inner"] }), "outer")).toMatchObject({ output: "ok" });
  });

  it("waits for calls of its session where the tool takes no place among them", async () => {
    const alone = tool("alone", () => "x", { concurrency: "exclusive" });
    const hub = tool("hub", async () => codeOf(await call(session, "alone")), { concurrency: "none" });
    const session = open([alone, hub]);
    const results = await Promise.all(Array.from({ length: 10 }, () => call(session, "hub")));
    expect(results.map(({ ok }) => ok)).not.toContain(false);
  });

  it("cannot recurse without end, nor block itself", async () => {
    const self = tool("self", async (_, ctx) => (await ctx.dispatch("self", {})).content, {
      concurrency: "exclusive",
    });
    const result = await call(open([self]), "self");
    expect(textOf(result.content)).toContain("nested more than 8 deep");
  });
});

describe("several calls at once", () => {
  it("never overlap on one path, through whatever spelling", async () => {
    let running = 0;
    let most = 0;
    const write = defineTool({
      name: "write",
      description: "Writes.",
      input: z.object({ path: z.string() }),
      effects: ({ path }) => [{ kind: "write", path }],
      execute: async () => {
        most = Math.max(most, ++running);
        for (let tick = 0; tick < 5; tick++) await Promise.resolve();
        running--;
      },
    });
    const session = open([write], { onAsk: "allow", allow: ["write"] });
    const paths = ["a.txt", "./a.txt", "x/../a.txt"];
    const results = await Promise.all(paths.map((path) => call(session, "write", { path })));
    expect(results.map(codeOf)).toEqual(["ok", "ok", "ok"]);
    expect(most).toBe(1);
  });

  it("give their results in call order", async () => {
    const slow = defineTool({
      name: "slow",
      description: "Takes some ticks.",
      input: z.object({ ticks: z.number() }),
      execute: async ({ ticks }) => {
        for (let tick = 0; tick < ticks; tick++) await Promise.resolve();
        return ticks;
      },
    });
    const calls = [50, 1, 20].map((ticks) => ({ id: String(ticks), name: "slow", arguments: { ticks } }));
    const results = await dispatchAll(calls, open([slow]));
    expect(results.map((result) => result.ok && result.output)).toEqual([50, 1, 20]);
  });

  it("ask_user has nobody headless", async () => {
    const asking = tool("asking", (_, ctx) => ctx.ask("Which?"));
    expect(codeOf(await call(open([asking]), "asking"))).toBe("no_user");
    const ask = { question: (question: string) => Promise.resolve(`${question} this`) };
    expect(await call(open([asking], {}, { ask }), "asking")).toMatchObject({ output: "Which? this" });
  });
});
