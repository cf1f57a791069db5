import { spawn } from "node:child_process";
import { randomUUID } from "node:crypto";
import { once } from "node:events";
import { ToolListChangedNotificationSchema } from "@modelcontextprotocol/sdk/types.js";
import type { RunResult } from "@toycoder/agent";
import { tempWorkspace } from "@toycoder/testing";
import { describe, expect, it } from "vitest";
import { cassette, SAFE_TOOLS } from "../test-support/cassette.ts";
import { callOf, initialize, openHost, resultText, startHost } from "../test-support/mcp-host.ts";
import { faultyServer } from "../test-support/mcp-servers.ts";
import { processesWith } from "../test-support/processes.ts";
import { BIN, runToycoder } from "../test-support/run-toycoder.ts";
import { solidPng } from "../test-support/solid-png.ts";

/** A command that says that it has begun and then stays, and the mark by which its processes are found. */
function longCommand(): { command: string; mark: string } {
  const mark = `mark-${randomUUID()}`;
  return { command: `echo begun; sh -c 'sleep 600 # ${mark}' & sleep 600 # ${mark}`, mark };
}

async function gone(mark: string): Promise<void> {
  while (processesWith(mark).length > 0) await new Promise((resolve) => setTimeout(resolve, 5));
}

/** A plugin that prints where it must not, and has a structured result. */
const NOISY = `import { definePlugin, defineTool } from "toycoder";
console.log("printed at import");
const input = { "~standard": { version: 1, vendor: "x", validate: (value) => ({ value }),
  jsonSchema: { input: () => ({ type: "object", properties: {} }), output: () => ({ type: "object" }) } } };
const output = { "~standard": { version: 1, vendor: "x", validate: (value) => ({ value }),
  jsonSchema: { input: () => ({}), output: () => ({ type: "object", properties: { n: { type: "number" } }, required: ["n"] }) } } };
export default definePlugin({ name: "noisy", version: "1.0.0", api: 1, setup: () => ({
  tools: [defineTool({ name: "noisy", description: "Prints.", input, output,
    execute: () => { console.log("printed by a call"); process.stdout.write("and written\\n"); return { n: 7 }; } })] }) });
`;

const HUGE = `import { defineTool } from "toycoder";
const input = { "~standard": { version: 1, vendor: "x", validate: (value) => ({ value }),
  jsonSchema: { input: () => ({ type: "object", properties: {} }), output: () => ({}) } } };
export default defineTool({ name: "huge", description: "Is huge.", input, execute: () => { console.log("ran"); return "line\\n".repeat(20_000) + "the last"; } });
`;

describe("toycoder mcp serve, before the SDK's client", () => {
  it("lists the enabled tools and calls them under the policy", async () => {
    using folder = tempWorkspace({ "a.txt": "hello\n" });
    folder.write("dot.png", Buffer.from(solidPng(4, [255, 0, 0]), "base64"));
    await using host = await openHost(
      ["--allow", "write_file(out/**)", "--deny", "read:secret*"],
      folder.root,
    );
    const { tools } = await host.client.listTools();
    expect(tools.map(({ name }) => name)).toEqual(SAFE_TOOLS);
    expect(host.client.getServerVersion()).toMatchObject({ name: "toycoder" });
    expect(host.client.getInstructions()).toContain(`The workspace is ${folder.root}`);
    expect(resultText(await host.call("read_file", { path: "a.txt" }))).toContain("1: hello");
    expect(await host.call("read_file", { path: "dot.png" })).toMatchObject({
      content: expect.arrayContaining([{ type: "image", mimeType: "image/png", data: expect.any(String) }]),
    });
    const failed = await host.call("read_file", { path: "b.txt" });
    expect([failed.isError, resultText(failed)]).toEqual([
      true,
      expect.stringContaining("Error (not_found)"),
    ]);
    expect(await host.call("write_file", { path: "out/x", content: "x" })).not.toHaveProperty("isError");
    const refused = resultText(await host.call("write_file", { path: "y", content: "x" }));
    expect(refused).toContain("approval_required");
    expect(refused).toContain('permissions.allow would need "write_file(./y)"');
    expect(resultText(await host.call("read_file", { path: "secret.txt" }))).toContain(
      "Error (permission_denied)",
    );
    expect(resultText(await host.call("run_command", { command: "ls" }))).toContain("Error (tool_disabled)");
    expect(resultText(await host.call("task", { task: "x" }))).toContain("Error (unknown_tool)");
  });

  it("asks the person: once, always, no, and a tool's question", async () => {
    using folder = tempWorkspace({});
    const answers = ["once", "always", "no"];
    const asked: string[] = [];
    await using host = await openHost(["--enable", "run_command"], folder.root, ({ message }) => {
      asked.push(message);
      const answer = message === "Which port?" ? "8080" : answers.shift();
      return answer === undefined ? { action: "cancel" } : { action: "accept", content: { answer } };
    });
    const run = async (command: string) => resultText(await host.call("run_command", { command }));
    expect(await run("echo 1")).toContain("\n1");
    expect(await run("echo 1")).toContain("\n1");
    expect(await run("echo 1")).toContain("\n1");
    expect(await run("echo 2")).toContain("said no to this call");
    expect(await run("echo 3")).toContain("closed the question");
    expect(asked).toHaveLength(4);
    expect(resultText(await host.call("ask_user", { question: "Which port?" }))).toBe("8080");
  });

  it("asks nothing with --yes", async () => {
    using folder = tempWorkspace({});
    await using host = await openHost(["--yes"], folder.root, () => {
      throw new Error("asked");
    });
    expect(await host.call("write_file", { path: "x", content: "x" })).not.toHaveProperty("isError");
  });

  it("tells progress, and a cancelled command leaves no process", async () => {
    using folder = tempWorkspace({});
    const { command, mark } = longCommand();
    await using host = await openHost(["--enable", "run_command", "--yes"], folder.root);
    const begun = Promise.withResolvers<string | undefined>();
    const controller = new AbortController();
    const call = host.client.callTool({ name: "run_command", arguments: { command } }, undefined, {
      signal: controller.signal,
      onprogress: ({ message }) => begun.resolve(message),
    });
    expect(await begun.promise).toContain("begun");
    expect(processesWith(mark).length).toBeGreaterThan(0);
    controller.abort("enough");
    await expect(call).rejects.toThrow("enough");
    await gone(mark);
    expect(resultText(await host.call("run_command", { command: "echo on" }))).toContain("on");
  });

  it("keeps the whole of a large result readable", async () => {
    using folder = tempWorkspace({
      "huge.ts": HUGE,
      "toycoder.config.json": JSON.stringify({ plugins: ["files", "./huge.ts"] }),
    });
    await using host = await openHost([], folder.root);
    const result = resultText(await host.call("huge"));
    expect(result.length).toBeLessThan(31_000);
    const [, name] = /path "(session:[^"]+)"/.exec(result) ?? [];
    expect(resultText(await host.call("read_file", { path: name, offset: 20_001 }))).toContain(
      "20001: the last",
    );
  });

  it("offers the tools of the config's MCP servers, and says when they change", async () => {
    const { entry, mark } = faultyServer();
    using folder = tempWorkspace({
      "toycoder.config.json": JSON.stringify({
        mcpServers: { far: { ...entry, permission: "safe", include: ["echo", "change_list", "new_tool"] } },
      }),
    });
    {
      await using host = await openHost([], folder.root);
      const names = async () => (await host.client.listTools()).tools.map(({ name }) => name);
      expect(await names()).toContain("far__echo");
      expect(resultText(await host.call("far__echo", { text: "hi" }))).toBe("hi");
      const changed = new Promise<void>((resolve) =>
        host.client.setNotificationHandler(ToolListChangedNotificationSchema, () => resolve()),
      );
      await host.call("far__change_list");
      await changed;
      expect(await names()).toContain("far__new_tool");
    }
    await gone(mark);
  });

  it("has structured results, and stdout for the protocol alone, whatever a plugin prints", async () => {
    using folder = tempWorkspace({
      "noisy.ts": NOISY,
      "toycoder.config.json": JSON.stringify({ plugins: ["./noisy.ts"] }),
    });
    await using host = await openHost([], folder.root);
    const errors: Error[] = [];
    Object.assign(host.client, { onerror: (error: Error) => void errors.push(error) });
    expect((await host.client.listTools()).tools[0]).toMatchObject({ outputSchema: { required: ["n"] } });
    expect(await host.call("noisy")).toMatchObject({ structuredContent: { n: 7 } });
    expect(errors).toEqual([]);
    await host.says("printed at import\n");
    await host.says("printed by a call\nand written\n");
  });
});

describe("its ends", () => {
  it.each([
    ["the end of stdin", 0],
    ["SIGTERM", 143],
    ["SIGINT", 130],
  ] as const)("%s stops what runs, with exit code %i", async (how, code) => {
    using folder = tempWorkspace({});
    const { command, mark } = longCommand();
    const { child, done, send, message } = startHost(["--enable", "run_command", "--yes"], folder.root);
    send(initialize(), callOf(1, "run_command", { command }));
    await message(({ method }) => method === "notifications/progress");
    if (how === "the end of stdin") child.stdin?.end();
    else child.kill(how);
    expect(await done).toMatchObject({ code, signal: null });
    expect(processesWith(mark)).toEqual([]);
  });

  it("a wrong config is the end at once: exit code 3, and a word on stderr alone", async () => {
    using folder = tempWorkspace({ "toycoder.config.json": '{ "plugin": [] }' });
    const { code, stdout, stderr } = await runToycoder(["mcp", "serve"], { cwd: folder.root });
    expect([code, stdout, stderr]).toEqual([3, "", expect.stringContaining("did you mean plugins?")]);
    expect(await runToycoder(["mcp", "serve", "x"], { cwd: folder.root })).toMatchObject({
      code: 2,
      stdout: "",
    });
  });
});

describe("a host that is not as it should be", () => {
  it.each([
    ["2024-11-05", "2024-11-05"],
    ["2025-06-18", "2025-06-18"],
    ["1999-01-01", "2025-11-25"],
  ])("asks for %s and gets %s", async (asked, given) => {
    using folder = tempWorkspace({});
    const { child, done, send, message } = startHost([], folder.root);
    send(initialize(asked));
    expect((await message(({ id }) => id === "i")).result).toMatchObject({ protocolVersion: given });
    child.stdin?.end();
    expect((await done).code).toBe(0);
  });

  it("writes nonsense, and is served on", async () => {
    using folder = tempWorkspace({ "a.txt": "hello\n" });
    const { child, done, send, message } = startHost([], folder.root);
    send("{", { jsonrpc: "2.0", id: 1 }, { jsonrpc: "2.0", id: 2, method: "no/such" }, initialize());
    send(
      { jsonrpc: "2.0", id: 3, method: "tools/call", params: { name: 7 } },
      callOf(4, "read_file", { path: "a.txt" }),
    );
    const codes = [null, 1, 2, 3].map(
      async (wanted) => (await message(({ id }) => id === wanted)).error?.code,
    );
    expect(await Promise.all(codes)).toEqual([-32_700, -32_600, -32_601, -32_602]);
    expect(JSON.stringify(await message(({ id }) => id === 4))).toContain("hello");
    child.stdin?.end();
    expect((await done).code).toBe(0);
  });

  it("sends many calls at once, and gets every answer", async () => {
    using folder = tempWorkspace({ "a.txt": `${"x".repeat(1000)}\n`.repeat(20) });
    const { child, send, message, messages, done } = startHost([], folder.root);
    send(initialize());
    const ids = Array.from({ length: 1500 }, (_, id) => id);
    for (const id of ids) send(callOf(id, "read_file", { path: "a.txt" }));
    await message(() => messages.length > ids.length);
    const answered = messages.filter(({ result }) => result !== undefined).map(({ id }) => id);
    expect(new Set(answered)).toEqual(new Set(["i", ...ids]));
    child.stdin?.end();
    expect((await done).code).toBe(0);
  });

  it("never reads, and is not waited for", async () => {
    using folder = tempWorkspace({
      "huge.ts": HUGE,
      "toycoder.config.json": JSON.stringify({ plugins: ["./huge.ts"] }),
    });
    const child = spawn(process.execPath, [BIN, "mcp", "serve"], { cwd: folder.root });
    const exited = once(child, "exit");
    const lines = [initialize(), ...Array.from({ length: 40 }, (_, id) => callOf(id, "huge"))];
    // All at once, so that all begin before the first answer is there: more than fits into the pipe.
    child.stdin.write(lines.map((line) => `${JSON.stringify(line)}\n`).join(""));
    let ran = "";
    for await (const chunk of child.stderr) {
      ran += String(chunk);
      if (ran.split("ran\n").length > 12) break;
    }
    child.stdin.end();
    expect(await exited).toEqual([0, null]);
    child.stdout.destroy();
  });
});

it("toycoder run uses the tools of toycoder mcp serve", async () => {
  using folder = tempWorkspace({
    "a.txt": "hello from inside\n",
    "inner.json": JSON.stringify({ plugins: ["files"] }),
    "c.jsonl": await cassette(
      [
        {
          calls: [
            { name: "self__read_file", arguments: { path: "a.txt" } },
            { name: "self__write_file", arguments: { path: "b.txt", content: "x" } },
          ],
        },
        { text: "done" },
      ],
      [...SAFE_TOOLS, "self__list_dir", "self__read_file", "self__write_file"].toSorted(),
    ),
  });
  const args = [BIN, "mcp", "serve", "--config", "inner.json"];
  const self = { command: process.execPath, args, permission: "safe", exclude: ["edit_file"] };
  folder.write("toycoder.config.json", JSON.stringify({ mcpServers: { self } }));
  const { code, stdout } = await runToycoder(
    ["run", "x", "--model", "replay:c.jsonl", "--output", "stream-json"],
    {
      cwd: folder.root,
    },
  );
  const events = stdout
    .trim()
    .split("\n")
    .map((line) => JSON.parse(line) as Record<string, unknown>);
  const results = events.filter(({ type }) => type === "tool_result");
  const resultOf = (name: string) => JSON.stringify(results.find((event) => event["name"] === name));
  expect(resultOf("self__read_file")).toContain("hello from inside");
  // Our client has nobody to ask either, and says no.
  expect(resultOf("self__write_file")).toContain("permission_denied");
  expect([code, (events.at(-1)?.["result"] as RunResult | undefined)?.text]).toEqual([0, "done"]);
});
