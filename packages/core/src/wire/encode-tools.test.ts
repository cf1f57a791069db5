import { expect, test } from "vitest";
import * as z from "zod";
import { defineTool, type Tool } from "../tool.ts";
import { encodeToolsFor, type WireRules } from "./encode-tools.ts";

const rules: WireRules = {
  names: { maxLength: 64, forbidden: /[^a-zA-Z0-9_-]/g },
  formats: new Set(),
  strict: true,
};

const tool = (name: string, input: z.ZodObject): Tool =>
  defineTool({ name, description: `Does ${name}.`, input, execute: () => "" }) as Tool;

const encode = (...tools: Tool[]) => encodeToolsFor(tools, rules, (wire) => wire);

test("strict where it loses nothing, as it is otherwise, in the order given", () => {
  const { tools } = encode(
    tool("write_file", z.object({ path: z.string() })),
    tool("run_command", z.object({ env: z.record(z.string(), z.string()).optional() })),
  );
  expect(tools.map(({ name, strict }) => [name, strict])).toEqual([
    ["write_file", true],
    ["run_command", false],
  ]);
  expect(tools[1]!.schema).toEqual({
    type: "object",
    properties: { env: { type: "object", properties: {}, additionalProperties: { type: "string" } } },
    additionalProperties: false,
  });
});

test("one tool whose schema cannot be converted is skipped by name, the others stay", () => {
  const { tools, skipped } = encode(tool("bad", z.object({ at: z.date() })), tool("good", z.object({})));
  expect(tools.map(({ name }) => name)).toEqual(["good"]);
  expect(skipped).toMatchObject([{ name: "bad", error: { code: "schema_not_convertible" } }]);
});

test("the codec undoes names and arguments", () => {
  const { codec } = encode(tool("read_file", z.object({ path: z.string(), limit: z.number().optional() })));
  expect(codec.encodeName("mcp.tool")).toMatch(/^mcp_tool_[0-9a-f]{8}$/);
  expect(codec.decodeName(codec.encodeName("mcp.tool"))).toBe("mcp.tool");
  expect(codec.decodeArguments("read_file", '{"path":"a","limit":null}')).toEqual({ path: "a" });
  expect(codec.decodeArguments("read_file", { path: "a", limit: 3 })).toEqual({ path: "a", limit: 3 });
});

test("arguments that are missing are an empty object, broken ones are left for dispatch to report", () => {
  const { codec } = encode(tool("read_file", z.object({ limit: z.number().optional() })));
  for (const nothing of [null, undefined, ""]) expect(codec.decodeArguments("read_file", nothing)).toBe("{}");
  expect(codec.decodeArguments("read_file", '{"limit":')).toBe('{"limit":');
  expect(codec.decodeArguments("read_file", "[1]")).toBe("[1]");
  expect(codec.decodeArguments("unknown", '{"a":null}')).toBe('{"a":null}');
});

test("what the wire no longer says is named by tool", () => {
  const { lost } = encode(tool("open_url", z.object({ url: z.url() })), tool("other", z.object({})));
  expect([...lost]).toEqual([["open_url", [{ path: "url", keyword: "format" }]]]);
});
