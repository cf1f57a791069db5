import { afterAll, beforeAll, expect, test } from "vitest";
import { type ContentPart, textOf, type ToolResult } from "@toycoder/core";
import { faulty, type Opened, openServers } from "./test-support/open-servers.ts";

let opened: Opened;
beforeAll(async () => {
  opened = await openServers({ faulty: faulty(["--resources"]).config });
});
afterAll(async () => await opened[Symbol.asyncDispose]());

const texts = (result: ToolResult): string[] =>
  result.content.map((part: ContentPart) => (part.type === "text" ? part.text : `<${part.mediaType}>`));

test("every kind of part reaches the model as text, image or a name in the session", async () => {
  const result = await opened.call("faulty__every_part");
  expect(texts(result)).toEqual([
    "one",
    "<image/png>",
    expect.stringMatching(/^\[image, image\/png, 6 bytes: kept as session:/),
    expect.stringMatching(/^\[audio, audio\/wav, 4 bytes: kept as session:/),
    "[resource note://1, text/plain]\na note",
    "[resource bin://1]",
    expect.stringMatching(/^\[resource, bytes, 3 bytes: kept as session:/),
    "[resource file:///x: x, a file]",
    expect.stringContaining('unknown type "hologram"'),
    "[a part that is no object: null]",
  ]);
});

test("structured content that a text repeats is shown once", async () => {
  const result = await opened.call("faulty__sum", { sum: 3 });
  expect(texts(result)).toEqual(['{"sum":3}']);
  expect(result).toMatchObject({ output: { structuredContent: { sum: 3 } } });
});

test("structured content that does not fit the tool's own schema is an error", async () => {
  const result = await opened.call("faulty__sum", { sum: "three" });
  expect(result).toMatchObject({ ok: false, error: { code: "invalid_output" } });
  expect(textOf(result.content)).toContain("sum");
});

test("an image stands in a result once", async () => {
  const result = await opened.call("faulty__image_structured");
  expect(texts(result)).toEqual(["<image/png>", '{"image":"[content 1]","width":1}']);
});

test.each([
  ["faulty__error", "tool_failed", "the disk is full"],
  ["faulty__rpc_error", "tool_failed", "no such planet"],
  ["faulty__no_result", "tool_failed", "not by the protocol"],
])("%s is told as %s", async (name, code, words) => {
  const result = await opened.call(name);
  expect(result).toMatchObject({ ok: false, error: { code } });
  expect(textOf(result.content)).toContain(words);
});

test("an image of an error is kept, and named beside its words", async () => {
  const result = await opened.call("faulty__failed_with_image");
  expect(result).toMatchObject({ ok: false, error: { code: "tool_failed" } });
  expect(texts(result)).toEqual([
    expect.stringMatching(/the page looks wrong\n\[image, image\/png, \d+ bytes: kept as session:/),
  ]);
});

test("an empty result says so, and what is not UTF-8 is replaced", async () => {
  expect(await opened.say("faulty__empty")).toBe("(the result is empty)");
  expect(await opened.say("faulty__bad_utf8")).toBe("a\uFFFD\uFFFDb");
});

test("a text of 60 MB is cut for the model and kept whole in the session", async () => {
  const bytes = 60 * 1024 * 1024;
  const result = await opened.call("faulty__big", { bytes });
  const shown = textOf(result.content);
  expect(shown.length).toBeLessThan(31_000);
  expect(shown).toContain(`of ${bytes} characters; the whole is session:`);
});

test("roots are the workspace, sampling is declined", async () => {
  expect(await opened.say("faulty__roots")).toContain(`"uri":"file://${opened.session.workspace.root}"`);
  expect(await opened.say("faulty__sampling")).toContain('"code":-32601');
});

test("what a server logs is told", async () => {
  await opened.call("faulty__log");
  expect(opened.lines).toContainEqual({
    server: "faulty",
    stream: "log",
    text: "warning me: low on paper\n",
  });
});

test("progress is told while a call runs", async () => {
  const seen: string[] = [];
  await opened.call(
    "faulty__progress",
    // Steps that a busy machine, too, reads one by one.
    { steps: 2, ms: 250 },
    {
      observe: (event) => event.type === "progress" && seen.push(event.message),
    },
  );
  // The SDK drops the last one where the result is there with it.
  expect(seen[0]).toBe("step: 1 of 2");
});

test("a question without anybody there is declined", async () => {
  expect(await opened.say("faulty__elicit")).toBe('{"action":"decline"}');
});

test("a question of the server is asked field by field", async () => {
  const answers = ["answer", "red", "3"];
  const asked: string[] = [];
  await using here = await openServers(
    { faulty: faulty().config },
    {
      ask: {
        question: async (question) => {
          asked.push(question);
          return answers.shift() ?? "";
        },
      },
    },
  );
  expect(await here.say("faulty__elicit")).toBe('{"action":"accept","content":{"colour":"red","count":3}}');
  expect(asked).toEqual([
    "The MCP server faulty asks: Which?",
    "colour (may be left empty)",
    "count (may be left empty)",
  ]);
});

test("resources are listed and read", async () => {
  expect(await opened.say("mcp_list_resources")).toBe(
    "Server faulty\n[resource note://1: first, text/plain]\n[resource note://{n}: note]",
  );
  const read = { server: "faulty", uri: "note://1" };
  expect(await opened.say("mcp_read_resource", read)).toBe("[resource note://1]\nthe note note://1");
  expect(await opened.call("mcp_read_resource", { server: "other", uri: "x" })).toMatchObject({
    error: { code: "unknown_server" },
  });
});
