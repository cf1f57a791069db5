import { setTimeout as sleep } from "node:timers/promises";
import { defineTool, fail, type Tool, ToolError, type ToolOptions } from "@toycoder/core";
import { encodeToolsFor } from "@toycoder/core/wire";
import { describe, expect, it, test } from "vitest";
import { z } from "zod";
import { describeTool } from "./describe-tool.ts";
import { inspectTool } from "./describe-tool/inspect-tool.ts";
import type { ToolSubject } from "./describe-tool/subject.ts";
import { toolContract } from "./describe-tool/tool-contract.ts";

const input = z.object({
  path: z.string().min(1).describe("A text file of the workspace"),
  times: z.int().min(1).max(9).default(1).describe("How often"),
});
type Input = z.infer<typeof input>;

const countLines = (changes: Partial<ToolOptions<unknown, Input, string>> = {}): Tool =>
  defineTool<unknown, Input, string>({
    name: "count_lines",
    description: "Count the lines of a text file in the workspace; returns their number.",
    input,
    category: "file_io",
    effects: ({ path }) => [{ kind: "read", path }],
    execute: ({ path, times }) =>
      path === "none" ? fail("not_found", "there is no such file") : "4 lines\n".repeat(times),
    ...changes,
  });

const encoder = {
  name: "a provider",
  encode: (tools: readonly Tool[]) =>
    encodeToolsFor(
      tools,
      { names: { maxLength: 64, forbidden: /\W/g }, formats: new Set<string>(), strict: true },
      (tool) => tool,
    ),
};

const subject = (
  changes: Parameters<typeof countLines>[0] = {},
  more: Partial<ToolSubject> = {},
): ToolSubject => ({
  tool: countLines(changes),
  examples: [{ input: { path: "a.txt" } }, { input: { path: "none" }, fails: "not_found" }],
  wrong: [{ input: { path: "a.txt", times: 99 }, says: "times" }],
  encoders: [encoder],
  ...more,
});

describeTool(subject(), { describe, test });

/** Name → message of the cases that fail. */
async function failuresOf(given: ToolSubject): Promise<Record<string, string>> {
  const failures: Record<string, string> = {};
  for (const { name, run } of toolContract(given)) {
    await run().catch((error: Error) => (failures[name] = error.message));
  }
  return failures;
}

describe("the tool contract", () => {
  it("passes a good tool", async () => expect(await failuresOf(subject())).toEqual({}));

  it.each<[string, Parameters<typeof countLines>[0], RegExp, RegExp]>([
    ["a vague description", { description: "Query data." }, /^says what/, /description_vague.*many tools/],
    [
      "no word on the result",
      { description: "Count the lines of text files in folders." },
      /^says what/,
      /no_result/,
    ],
    [
      "a parameter without words",
      { input: input.extend({ path: z.string() }) },
      /^says what/,
      /undescribed.*input path/,
    ],
    ["a path without effects", { effects: undefined as never }, /^says what/, /effects_missing/],
    [
      "a safe tool that writes",
      { effects: ({ path }) => [{ kind: "write", path }] },
      /^tells its effects/,
      /safe tool/,
    ],
    ["effects that throw", { effects: () => { throw new TypeError("no"); } }, /^tells its effects/, /no/], // prettier-ignore
    ["a bare throw", { execute: () => { throw new TypeError("x of undefined"); } }, /^takes/, /x of undefined/], // prettier-ignore
    ["a result that is too long", { execute: () => "x".repeat(30_001) }, /^takes/, /30001 characters/],
    ["a schema that takes anything", { input: z.looseObject({}) as never }, /^refuses/, /it is taken/],
  ])("finds %s", async (_, changes, where, what) => {
    const failures = await failuresOf(subject(changes));
    const [name = "", message = ""] = Object.entries(failures).find(([name]) => where.test(name)) ?? [];
    expect(`${name}: ${message}`).toMatch(where);
    expect(message).toMatch(what);
  });

  it("finds what a provider refuses, and what it is no longer told", async () => {
    const refusing = { ...encoder, check: () => ["the name is bad"] };
    expect(Object.values(await failuresOf(subject({}, { encoders: [refusing] })))[0]).toMatch(
      /the name is bad/,
    );
    const losses = { "a provider": ["path: minLength"] };
    expect(await failuresOf(subject({}, { losses }))).toEqual({});
    expect(Object.keys(await failuresOf(subject({}, { losses: { "a provider": [] } })))).toEqual([
      "is taken by a provider",
    ]);
  });

  it("waits until an aborted tool has really ended", async () => {
    let ended = false;
    const execute: ToolOptions<unknown, Input, string>["execute"] = async (_, { signal }) => {
      await sleep(100_000, undefined, { signal }).catch(() => {});
      ended = true;
      throw new ToolError("cancelled", "stopped");
    };
    const [abort] = toolContract(subject({ execute }, { slow: { path: "a.txt" } })).filter(({ name }) =>
      /abort/.test(name),
    );
    await abort?.run();
    expect(ended).toBe(true);
    const quick = await failuresOf(subject({}, { slow: { path: "a.txt" } }));
    expect(quick["ends when it is aborted"]).toMatch(/ended before it was aborted/);
  });

  it("lets through what a subject accepts", async () => {
    const given = subject({ description: "Query data." }, { accepted: { description_vague: "a test" } });
    expect(await failuresOf(given)).toEqual({});
  });
});

describe("a look at a tool", () => {
  const codes = (changes: Parameters<typeof countLines>[0]): string[] =>
    inspectTool(countLines(changes)).map(({ severity, code }) => `${severity} ${code}`);

  it("holds level and effects against what the tool says of itself", () => {
    expect(codes({})).toEqual([]);
    for (const name of ["delete_lines", "set_mode", "shop_delete_order", "run_tests"])
      expect(codes({ name })).toEqual(["error level_missing"]);
    for (const name of [
      "get_commit",
      "list_posts",
      "find_create_date",
      "shop_list_updates",
      "text_stats_count_lines",
      "shop_find_send_date",
      "ssh_set_size",
    ])
      expect(codes({ name })).toEqual([]);
    expect(codes({ category: "action", permission: "sensitive" })).toEqual([]);
    const mail = z.object({ to: z.string().describe("An address") });
    const plain = { input: mail as never, effects: undefined as never, category: "external_api" as const };
    expect(codes({ ...plain, name: "send_mail", permission: "sensitive" })).toEqual([
      "warning effects_missing",
    ]);
    expect(codes({ ...plain, name: "read_mail" })).toEqual([]);
  });

  it("reads nested parameters, and names their places", () => {
    const nested = z.object({
      edits: z.array(z.object({ at: z.int(), path: z.string() })).describe("Edits"),
    });
    expect(inspectTool(countLines({ input: nested as never })).map(({ place }) => place)).toEqual([
      "tool count_lines, input edits[].at",
      "tool count_lines, input edits[].path",
    ]);
  });

  it("names a schema that cannot be converted", () => {
    expect(codes({ input: z.object({ at: z.date() }) as never })).toEqual(["error schema_not_convertible"]);
  });

  it("does not judge Chinese by spaces", () => {
    expect(codes({ description: "计算工作区中文本文件的行数，返回行数。" })).toEqual([]);
  });
});
