import { mkdtempSync, readFileSync, realpathSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { z } from "zod";
import { fail, ToolError } from "../errors.ts";
import { textOf, type ToolResult } from "../message.ts";
import { createPolicy, type PolicyOptions } from "../permission/policy.ts";
import { createWorkspace } from "../permission/workspace.ts";
import { ToolRegistry } from "../registry.ts";
import { createSession, type Session, type SessionOptions } from "../session.ts";
import { defineTool, type Tool, type ToolContext } from "../tool.ts";
import { dispatch, type DispatchEvent, type DispatchOptions } from "./dispatch.ts";

let root = "";
beforeAll(() => {
  root = realpathSync(mkdtempSync(path.join(tmpdir(), "toycoder-dispatch-")));
});
afterAll(() => rmSync(root, { recursive: true }));

const nothing = z.object({});
type Execute = (input: Record<string, never>, ctx: ToolContext) => unknown;
const tool = (name: string, execute: Execute, more: object = {}): Tool =>
  defineTool({ name, description: "A tool of a test.", input: nothing, execute, ...more });

function open(
  tools: readonly Tool[],
  policy: Omit<PolicyOptions, "root"> = {},
  more: Partial<SessionOptions> = {},
): Session {
  const registry = new ToolRegistry();
  registry.registerMany(tools);
  const workspace = createWorkspace({ root });
  return createSession({ registry, workspace, policy: createPolicy({ root, ...policy }), ...more });
}

const call = (
  session: Session,
  name: string,
  args: string | Record<string, unknown> = {},
  options: DispatchOptions = {},
): Promise<ToolResult> => dispatch({ id: "c1", name, arguments: args }, session, options);

const codeOf = (result: ToolResult): string => (result.ok ? "ok" : result.error.code);

const greet = defineTool({
  name: "greet",
  description: "Greets somebody.",
  input: z.object({ name: z.string(), times: z.number().int().min(1).default(1) }),
  execute: ({ name, times }) => Array(times).fill(`Hello ${name}`).join(" "),
});

describe("decode", () => {
  const session = () => open([greet, tool("ping", () => "pong")]);
  it.each([
    ["greet", '{"name":"Ada","times":"2"}', "ok", "Hello Ada Hello Ada"],
    ["ping", "", "ok", "pong"],
    ["ping", "  ", "ok", "pong"],
    ["greet", '{"name":"Ada"', "invalid_json", "valid JSON"],
    ["greet", "[1]", "invalid_json", "the arguments are an array; they must be one JSON object"],
    ["greet", "null", "invalid_json", "the arguments are null"],
    ["greet", '"x"', "invalid_json", "the arguments are a string"],
  ])("%s %s → %s", async (name, args, code, text) => {
    const result = await call(session(), name, args);
    expect(codeOf(result)).toBe(code);
    expect(textOf(result.content)).toContain(text);
  });
});

describe("look up", () => {
  it("names the nearest tools", async () => {
    const result = await call(open([greet]), "gret");
    expect(result).toMatchObject({ ok: false, error: { code: "unknown_tool", hint: "did you mean greet?" } });
  });

  it("takes names of methods for ordinary names", async () => {
    for (const name of ["constructor", "__proto__", "toString"]) {
      expect(codeOf(await call(open([greet]), name))).toBe("unknown_tool");
    }
  });

  it("says how to enable a disabled tool, and which rule would", async () => {
    const danger = tool("danger", () => "done", { permission: "dangerous" });
    const events: DispatchEvent[] = [];
    const result = await call(open([danger]), "danger", {}, { observe: (event) => void events.push(event) });
    expect(result).toMatchObject({ ok: false, error: { code: "tool_disabled" } });
    expect(textOf(result.content)).toContain("--enable danger");
    expect(events).toMatchObject([
      {
        type: "decision",
        refusal: "tool_disabled",
        decision: { decision: "disabled", suggestion: "danger" },
      },
    ]);
    expect(codeOf(await call(open([danger], { allow: ["danger"] }), "danger"))).toBe("ok");
    expect(codeOf(await call(open([danger], { allow: ["dang*"] }), "danger"))).toBe("tool_disabled");
    expect(codeOf(await call(open([danger], {}, { enable: ["danger"] }), "danger"))).toBe(
      "approval_required",
    );
  });
});

describe("credentials and validation", () => {
  const secret = tool("secret", (_, ctx) => Object.keys(ctx.credentials).join(), { requiresAuth: ["mail"] });

  it("wants the credentials that a tool names, and gives it those alone", async () => {
    expect(codeOf(await call(open([secret]), "secret"))).toBe("auth_missing");
    const session = open([secret], {}, { credentials: { mail: "m", other: "o" } });
    expect(await call(session, "secret")).toMatchObject({ ok: true, output: "mail" });
  });

  it("reports every problem of the arguments", async () => {
    const result = await call(open([greet]), "greet", { nme: "Ada", times: 0 });
    expect(codeOf(result)).toBe("invalid_arguments");
    expect(textOf(result.content)).toMatch(/name: .*\ntimes: .*\nnme: unknown key; did you mean "name"\?/);
  });

  it("never mutates the arguments", async () => {
    const args = Object.freeze({ name: "Ada", times: "2" });
    await call(open([greet]), "greet", args);
    expect(args).toEqual({ name: "Ada", times: "2" });
  });
});

describe("authorize", () => {
  const write = (ran: string[] = []) =>
    defineTool({
      name: "write",
      description: "Writes.",
      permission: "sensitive",
      input: z.object({ path: z.string() }),
      effects: ({ path }) => [{ kind: "write", path }],
      execute: ({ path }) => {
        ran.push(path);
        return "written";
      },
    });

  it("refuses at once where nobody is there, with the rule that would allow", async () => {
    const ran: string[] = [];
    const result = await call(open([write(ran)]), "write", { path: "a.txt" });
    expect(codeOf(result)).toBe("approval_required");
    expect(textOf(result.content)).toContain('"write(./a.txt)"');
    expect(ran).toEqual([]);
  });

  it.each([
    [{ allow: ["write(a.txt)"] }, "a.txt", "ok"],
    [{ onAsk: "allow" }, "a.txt", "ok"],
    [{ onAsk: "allow", deny: ["write:a.txt"] }, "a.txt", "permission_denied"],
    [{ onAsk: "allow" }, "../a.txt", "outside_workspace"],
    [{ onAsk: "allow", protect: ["a.txt"] }, "a.txt", "permission_denied"],
    [{ onAsk: "stop" }, "a.txt", "approval_required"],
  ] as const)("%j, %s: %s", async (policy, path, code) => {
    expect(codeOf(await call(open([write()], policy), "write", { path }))).toBe(code);
  });

  it("asks the person: once, always, no", async () => {
    const answers = ["once", "no", "always"] as const;
    let asked = 0;
    const session = open([write()], {}, { ask: { approval: () => Promise.resolve(answers[asked++]!) } });
    const codes = [];
    for (let index = 0; index < 5; index++)
      codes.push(codeOf(await call(session, "write", { path: "a.txt" })));
    expect(codes).toEqual(["ok", "permission_denied", "ok", "ok", "ok"]);
    expect(asked).toBe(3);
    session.resetApprovals();
    expect(session.approvals).toEqual([]);
  });

  it("lets nothing run whose effects cannot be told", async () => {
    const broken = tool("broken", () => "ran", {
      effects: () => {
        throw new Error("no idea");
      },
    });
    const result = await call(open([broken]), "broken");
    expect(result).toMatchObject({ ok: false, error: { code: "execution_failed" } });
    expect(textOf(result.content)).toContain("no idea");
  });
});

describe("hooks", () => {
  it("may refuse and replace, and never loosen", async () => {
    const refusing = { beforeToolCall: () => ({ deny: "not on a Friday" }) };
    expect(await call(open([greet], {}, { hooks: [refusing] }), "greet", { name: "Ada" })).toMatchObject({
      error: { code: "permission_denied", message: "not on a Friday" },
    });
    const replacing = { beforeToolCall: () => ({ arguments: { name: "Bob" } }) };
    expect(await call(open([greet], {}, { hooks: [replacing] }), "greet", { name: "Ada" })).toMatchObject({
      output: "Hello Bob",
    });
    expect(
      codeOf(await call(open([greet], { deny: ["greet"] }, { hooks: [replacing] }), "greet", { name: "A" })),
    ).toBe("permission_denied");
    const wrong = { beforeToolCall: () => ({ arguments: { name: 1 } }) };
    expect(codeOf(await call(open([greet], {}, { hooks: [wrong] }), "greet", { name: "Ada" }))).toBe(
      "invalid_arguments",
    );
    const throwing = {
      beforeToolCall: () => {
        throw new Error("hook");
      },
    };
    expect(codeOf(await call(open([greet], {}, { hooks: [throwing] }), "greet", { name: "Ada" }))).toBe(
      "execution_failed",
    );
  });
});

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

  it("ask_user has nobody headless", async () => {
    const asking = tool("asking", (_, ctx) => ctx.ask("Which?"));
    expect(codeOf(await call(open([asking]), "asking"))).toBe("no_user");
    const ask = { question: (question: string) => Promise.resolve(`${question} this`) };
    expect(await call(open([asking], {}, { ask }), "asking")).toMatchObject({ output: "Which? this" });
  });
});
