import { describe, expect, it } from "vitest";
import { z } from "zod";
import { fail } from "../errors.ts";
import { textOf } from "../message.ts";
import type { Ask } from "../session.ts";
import { call, codeOf, type Execute, open, tool } from "../test-support/open-session.ts";
import { defineTool } from "../tool.ts";
import type { DispatchEvent } from "./dispatch.ts";

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
    ["greet", '{"name":"Ada"', "ok", "[note: The arguments were broken JSON and were repaired"],
    ["greet", String.raw`{"name":"C:\Users\new"`, "invalid_json", "valid JSON"],
    ["greet", "[1]", "invalid_json", "the arguments are an array; they must be one JSON object"],
    ["greet", "null", "invalid_json", "the arguments are null"],
    ["greet", '"x"', "invalid_json", "the arguments are a string"],
  ])("%s %s → %s", async (name, args, code, text) => {
    const result = await call(session(), name, args);
    expect(codeOf(result)).toBe(code);
    expect(textOf(result.content)).toContain(text);
  });
});

describe("broken arguments", () => {
  const risky = tool("risky", () => "ran", { permission: "sensitive" });
  const session = () => open([greet, risky], { allow: ["risky"] });

  it("are repaired for a safe tool alone, with a note", async () => {
    const result = await call(session(), "greet", "{'name': 'Ada',}");
    expect(result).toMatchObject({
      ok: true,
      output: "Hello Ada",
      notes: [expect.stringContaining("repaired") as string],
    });
    expect(codeOf(await call(session(), "risky", "{,}"))).toBe("invalid_json");
    expect(codeOf(await call(session(), "risky", "{"))).toBe("invalid_json");
  });

  it("are never repaired where the model's answer was cut off", async () => {
    const cut = await call(session(), "greet", '{"name":"Ada"', { cutOff: true });
    expect(codeOf(cut)).toBe("invalid_json");
    expect(codeOf(await call(session(), "greet", '{"name":"Ada"}', { cutOff: true }))).toBe("ok");
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

describe("versions, deprecation, dependencies", () => {
  const query = (version: string) => tool("query", () => version, { version });
  const report = (dependencies: object) =>
    tool("report", async (_, ctx) => ctx.dispatch("query", {}), { dependencies });

  it("call the active version", async () => {
    const session = open([query("1.0.0"), query("2.0.0")]);
    expect(await call(session, "query")).toMatchObject({ output: "2.0.0" });
    session.registry.activate("query", "1.0.0");
    expect(await call(session, "query")).toMatchObject({ output: "1.0.0" });
  });

  it("keep a deprecated tool callable, with a note that names its replacement", async () => {
    const old = tool("old", () => "still here", {
      deprecated: { replacement: "fresh", reason: "it is slow" },
    });
    const session = open([old, tool("fresh", () => "")]);
    const result = await call(session, "old");
    expect(textOf(result.content)).toBe(
      "still here[note: old is deprecated (it is slow); use fresh instead]",
    );
    expect(session.tools().map(({ name }) => name)).toEqual(["fresh"]);
  });

  it.each([
    [{ query: "^1.0.0" }, ["1.5.0", "2.0.0"], "ok", "1.5.0"],
    [{ query: "^2.0.0" }, ["1.5.0"], "dependency_missing", "report needs query ^2.0.0; there is 1.5.0"],
    [
      { query: "^1.0.0" },
      [],
      "dependency_missing",
      "report needs the tool query (^1.0.0), which is not there",
    ],
    [{ query: { range: "^1.0.0", optional: true } }, [], "ok", "unknown_tool"],
    [{ query: { range: "^1.0.0", optional: true } }, ["2.0.0"], "dependency_missing", "there is 2.0.0"],
  ])("%j with %j: %s", async (dependencies, versions, code, text) => {
    const result = await call(open([report(dependencies), ...versions.map(query)]), "report");
    expect(codeOf(result)).toBe(code);
    expect(textOf(result.content)).toContain(text);
  });

  it("let tools that need each other run", async () => {
    const a = tool("a", () => "ran", { dependencies: { b: "*" } });
    const b = tool("b", () => "ran", { dependencies: { a: "*" } });
    expect(codeOf(await call(open([a, b]), "a"))).toBe("ok");
  });
});

describe("credentials and validation", () => {
  it("never show a credential's value", async () => {
    const token = "tok-123456789";
    const credentials = { mail: token };
    const leaky = (execute: Execute) =>
      open([tool("leaky", execute, { requiresAuth: ["mail"] })], {}, { credentials });
    const events: DispatchEvent[] = [];
    const observe = (event: DispatchEvent) => void events.push(event);
    const results = [
      await call(
        leaky((_, ctx) => `with ${ctx.credentials.mail}`),
        "leaky",
      ),
      await call(
        leaky((_, ctx) => Promise.reject(new Error(`no ${ctx.credentials.mail}`))),
        "leaky",
      ),
      await call(
        leaky((_, ctx) => fail("x", "no", { hint: String(ctx.credentials.mail) })),
        "leaky",
      ),
      await call(
        leaky((_, ctx) => ctx.progress(`using ${ctx.credentials.mail}`)),
        "leaky",
        {},
        { observe },
      ),
      await call(
        leaky((_, ctx) => "y".repeat(40_000) + ctx.credentials.mail),
        "leaky",
      ),
    ];
    for (const result of results) {
      expect(textOf(result.content)).not.toContain(token);
      if (!result.ok) expect(JSON.stringify(result.error)).not.toContain(token);
    }
    expect(textOf(results[0]!.content)).toBe("with [credential mail]");
    expect(JSON.stringify(events)).not.toContain(token);
  });

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
    const told: string[] = [];
    const approval: Ask["approval"] = ({ always }) => {
      told.push(...always);
      return Promise.resolve(answers[asked++]!);
    };
    const session = open([write()], {}, { ask: { approval } });
    const codes = [];
    for (let index = 0; index < 5; index++)
      codes.push(codeOf(await call(session, "write", { path: "a.txt" })));
    expect(codes).toEqual(["ok", "permission_denied", "ok", "ok", "ok"]);
    expect(asked).toBe(3);
    expect(session.approvals.map(({ source }) => source)).toEqual([...new Set(told)]);
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
