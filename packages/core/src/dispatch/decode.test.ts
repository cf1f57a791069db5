import { describe, expect, it } from "vitest";
import { z } from "zod";
import { createPolicy } from "../permission/policy.ts";
import { createWorkspace } from "../permission/workspace.ts";
import { ToolRegistry } from "../registry.ts";
import { createSession, type Session } from "../session.ts";
import { defineTool } from "../tool.ts";
import type { ToolCall } from "../message.ts";
import { decodeArguments, REPAIRED_NOTE } from "./decode.ts";
import { dispatch } from "./dispatch.ts";

const decode = async (given: ToolCall["arguments"], cutOff = false) =>
  await decodeArguments({ id: "1", name: "t", arguments: given }, { cutOff });
const refusal = (given: ToolCall["arguments"], cutOff = false) =>
  decode(given, cutOff).catch((error: unknown) => error as { code: string; message: string });

describe("arguments that are whole", () => {
  it.each<[what: string, given: ToolCall["arguments"], args: unknown]>([
    ["an object", { a: 1 }, { a: 1 }],
    ["a text", '{"a":1}', { a: 1 }],
    ["an empty text", "", {}],
    ["white space", " \n", {}],
    ["an object as a text within the text", JSON.stringify('{"a":1}'), { a: 1 }],
    ["__proto__", '{"__proto__":1}', JSON.parse('{"__proto__":1}')],
  ])("%s", async (_, given, args) => {
    expect(await decode(given)).toEqual({ args, repaired: false });
  });

  it.each([
    ["a list", "[1]", /an array/],
    ["null", "null", /null/],
    ["a number", "7", /a number/],
    ["a text", '"x"', /a string/],
    ["a list given as it is", [1] as never, /an array/],
  ])("%s is no object", async (_, given, message) => {
    expect(await refusal(given)).toMatchObject({
      code: "invalid_json",
      message: expect.stringMatching(message),
    });
  });
});

describe("broken JSON", () => {
  it.each<[what: string, given: string, args: unknown]>([
    ["a missing brace", '{"a":{"b":[1,2', { a: { b: [1, 2] } }],
    ["a missing quote", '{"a":"x', { a: "x" }],
    ["a comma too much", '{"a":1,}', { a: 1 }],
    ["a brace too much", '{"a":1}}', { a: 1 }],
    ["a missing comma", '{"a":1 "b":2}', { a: 1, b: 2 }],
    ["single quotes", "{'a':'b'}", { a: "b" }],
    ["bare keys", "{\n  a: 1,\n  b: 'x'\n}", { a: 1, b: "x" }],
    ["Python's words", '{"a": True, "b": None}', { a: true, b: null }],
    ["a code fence", '```json\n{"a":1}\n```', { a: 1 }],
    ["a comment", '{"a":1 /* one */}', { a: 1 }],
    ["a line break within a string", '{"a":"one\ntwo"}', { a: "one\ntwo" }],
    ["a tab within a string", '{"a":"one\ttwo"}', { a: "one\ttwo" }],
    ["escapes that are right", String.raw`{"a":"C:\\new\tx", b: "\""}`, { a: "C:\\new\tx", b: '"' }],
    ["dots in a string", '{"a":"and so on ..."', { a: "and so on ..." }],
  ])("%s is repaired", async (_, given, args) => {
    expect(await decode(given)).toEqual({ args, repaired: true });
    expect(await refusal(given, true)).toMatchObject({ code: "invalid_json", message: /cut off/ });
  });

  it.each<[what: string, given: string]>([
    ["a Windows path", String.raw`{"path":"C:\Users\new"}`],
    ["a regular expression", String.raw`{"pattern":"\d+\.x"}`],
    ["an escape that JSON lacks", String.raw`{"a":"it\'s"}`],
    ["an escape that breaks off", String.raw`{"a":"x\u12`],
    ["a backslash at the end", String.raw`{"a":"x` + "\\"],
    ["quotes within a string", '{"a":"he said "hi" there"}'],
    ["a quote that is missing in the middle", '{"a":"x, "b":"y"}'],
    ["strings to be joined", '{"a":"x" + "y"}'],
    ["an ellipsis", '{"a":[1,2,...]}'],
    ["a number that breaks off", '{"a":12.'],
    ["a minus alone", '{"a":-}'],
    ["two objects", '{"a":1}{"b":2}'],
    ["words around it", 'Sure: {"a":1}'],
    ["words", "read the file"],
    ["a control character", '{"a":"\u0001"}'],
    ["brackets without end", "[".repeat(100_000)],
    ["objects without end", '{"a":'.repeat(20_000)],
  ])("%s is refused: a repair would change or leave out something", async (_, given) => {
    expect(await refusal(given)).toMatchObject({
      code: "invalid_json",
      message: expect.stringMatching(/not valid JSON/),
    });
  });
});

describe("a repaired call", () => {
  const open = (): Session => {
    const registry = new ToolRegistry();
    for (const permission of ["safe", "sensitive", "dangerous"] as const) {
      const input = z.object({ a: z.string() });
      registry.register(
        defineTool({
          name: `${permission}_tool`,
          description: "d",
          input,
          permission,
          execute: ({ a }) => a,
        }),
      );
    }
    const workspace = createWorkspace({ root: "." });
    const policy = createPolicy({ root: workspace.root, allow: ["*"] });
    return createSession({ registry, workspace, policy, enable: ["dangerous_tool"] });
  };
  const call = (name: string, text: string, options = {}) =>
    dispatch({ id: "1", name, arguments: text }, open(), options);

  it("runs a safe tool, and the result says so", async () => {
    const result = await call("safe_tool", '{"a":"x"');
    expect(result).toMatchObject({ ok: true, output: "x", notes: [REPAIRED_NOTE] });
    expect(await call("safe_tool", '{"a":"x"}')).toMatchObject({ ok: true, notes: [] });
  });

  it.each(["sensitive_tool", "dangerous_tool"])("never runs a %s", async (name) => {
    expect(await call(name, '{"a":"x"}')).toMatchObject({ ok: true });
    expect(await call(name, '{"a":"x"')).toMatchObject({ ok: false, error: { code: "invalid_json" } });
  });

  it("never runs where the answer was cut off", async () => {
    const refused = { ok: false, error: { code: "invalid_json", message: expect.stringMatching(/cut off/) } };
    expect(await call("safe_tool", '{"a":"x"', { cutOff: true })).toMatchObject(refused);
    expect(await call("safe_tool", '{"a":"x"}', { cutOff: true })).toMatchObject({ ok: true });
  });
});
