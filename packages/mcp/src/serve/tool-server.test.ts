import { defineTool, jsonSchema, ToolError, type ToolOptions } from "@toycoder/core";
import { tempWorkspace } from "@toycoder/testing";
import { afterAll, describe, expect, it } from "vitest";
import { z } from "zod";
import { openToolServer, textIn } from "../test-support/open-tool-server.ts";

const folder = tempWorkspace();
const { root } = folder;
afterAll(() => folder.dispose());

type Options = Partial<ToolOptions<Record<string, unknown>, Record<string, unknown>, unknown>>;
const tool = (name: string, options: Options = {}) =>
  defineTool({
    name,
    description: `Does ${name}.`,
    input: z.object({}) as never,
    execute: () => "done",
    ...options,
  });

describe("the list", () => {
  it("has the enabled tools, with their real schemas and what is known of them beforehand", async () => {
    const look = defineTool({
      name: "look",
      description: "Looks.",
      category: "file_io",
      input: z.object({ path: z.string().describe("Where"), depth: z.number().int().default(1) }),
      execute: () => "seen",
    });
    const all = [
      look,
      tool("act", { category: "action" }),
      tool("write", { permission: "sensitive", category: "file_io" }),
      tool("shell", { permission: "dangerous", category: "execution" }),
      tool("off", { permission: "dangerous" }),
      tool("old", { deprecated: { replacement: "look" } }),
      tool("fetch", { category: "external_api" }),
    ];
    await using host = await openToolServer(all, { root, session: { enable: ["shell"] } });
    const { tools } = await host.client.listTools();
    expect(tools.map(({ name }) => name)).toEqual(["act", "fetch", "look", "shell", "write"]);
    const named = Object.fromEntries(tools.map((one) => [one.name, one]));
    expect(named["look"]).toEqual({
      name: "look",
      description: "Looks.",
      inputSchema: look.jsonSchema,
      annotations: { readOnlyHint: true, destructiveHint: false, idempotentHint: true, openWorldHint: false },
    });
    expect(named["look"]?.inputSchema).toMatchObject({
      type: "object",
      required: ["path"],
      additionalProperties: false,
    });
    const acting = { readOnlyHint: false, destructiveHint: true };
    expect(named["act"]?.annotations).toEqual({ ...acting, openWorldHint: true });
    expect(named["shell"]?.annotations).toEqual({ ...acting, openWorldHint: true });
    expect(named["write"]?.annotations).toEqual({ ...acting, openWorldHint: false });
    expect(named["fetch"]?.annotations).toMatchObject({ readOnlyHint: true, openWorldHint: true });
  });

  it("leaves out what cannot be described, and says so once", async () => {
    const problems: string[] = [];
    const bad = tool("bad", { input: z.object({ at: z.date() }) as never });
    const server = { onProblem: (problem: string) => void problems.push(problem) };
    await using host = await openToolServer([tool("good"), bad], { root, server });
    expect(await host.names()).toEqual(["good"]);
    expect(await host.names()).toEqual(["good"]);
    expect(problems).toEqual([expect.stringContaining("bad is not offered: tool bad: ")]);
  });

  it("spells out schemas that are true or false, which the protocol does not take", async () => {
    const any = tool("any", {
      input: jsonSchema({
        type: "object",
        properties: { a: true, b: { type: "string" } },
      }) as never,
    });
    await using host = await openToolServer([any], { root });
    const [listed] = (await host.client.listTools()).tools;
    expect(listed?.inputSchema).toEqual({ type: "object", properties: { a: {}, b: { type: "string" } } });
  });

  it("offers a tool under its alias, and judges it by its own name", async () => {
    const server = { alias: { far__look: "look" } };
    const policy = { deny: ["far__look"] };
    await using host = await openToolServer([tool("far__look")], { root, server, policy });
    expect(await host.names()).toEqual(["look"]);
    expect(textIn(await host.call("look"))).toContain("permission_denied");
  });

  it("is told to have changed when the session or the registry changes", async () => {
    await using host = await openToolServer([tool("one"), tool("risky", { permission: "dangerous" })], {
      root,
    });
    expect(await host.names()).toEqual(["one"]);
    let changed = host.listChanged();
    host.server.session.enable("risky");
    await changed;
    expect(await host.names()).toEqual(["one", "risky"]);
    changed = host.listChanged();
    host.server.session.disable("one");
    await changed;
    expect(await host.names()).toEqual(["risky"]);
    changed = host.listChanged();
    host.registry.register(tool("two"));
    await changed;
    expect(await host.names()).toEqual(["risky", "two"]);
  });
});

describe("a call", () => {
  it("succeeds, fails, and is turned away with code and message", async () => {
    const boom = tool("boom", {
      execute: () => {
        throw new ToolError("too_hot", "it is too hot", { hint: "wait" });
      },
    });
    const all = [
      tool("ok"),
      boom,
      tool("ask", { permission: "sensitive", effects: () => [{ kind: "write", path: "a.txt" }] }),
      tool("off", { permission: "dangerous" }),
      tool("old", { deprecated: { replacement: "ok" } }),
    ];
    await using host = await openToolServer(all, { root });
    expect(await host.call("ok")).toEqual({ content: [{ type: "text", text: "done" }] });
    const failures = {
      boom: "Error (too_hot): it is too hot\nHint: wait",
      ask: "Error (approval_required): the call needs an approval and nobody is there to give it",
      off: "Error (tool_disabled): off is dangerous and not enabled",
      nope: "Error (unknown_tool)",
    };
    for (const [name, text] of Object.entries(failures)) {
      const result = await host.call(name);
      expect([name, result.isError, textIn(result)]).toEqual([name, true, expect.stringContaining(text)]);
    }
    expect(textIn(await host.call("ask"))).toContain('permissions.allow would need "ask(./a.txt)"');
    expect(textIn(await host.call("ok", { extra: 1 }))).toContain("Error (invalid_arguments)");
    expect(textIn(await host.call("old"))).toContain("done[note: old is deprecated; use ok instead]");
  });

  it("with a wrong form is an error of the protocol", async () => {
    await using host = await openToolServer([tool("ok")], { root });
    await expect(host.client.callTool({ name: 3 as never })).rejects.toMatchObject({ code: -32_602 });
    await expect(host.client.callTool({ name: "ok", arguments: [] as never })).rejects.toMatchObject({
      code: -32_602,
    });
    expect(textIn(await host.call("ok"))).toBe("done");
  });

  it("gives images, and structured output by its schema, without credentials", async () => {
    const image = { type: "image" as const, mediaType: "image/png", data: "aGk=" };
    const output = z.object({ rows: z.array(z.string()), at: z.string().optional() });
    const rows = tool("rows", {
      output,
      requiresAuth: ["KEY"],
      execute: (_, ctx) => ({ rows: ["a", `key ${ctx.credentials["KEY"]}`], at: undefined }),
      toModel: () => "2 rows",
    });
    const shot = tool("shot", { toModel: () => [{ type: "text", text: "a" }, image] });
    const session = { credentials: { KEY: "hunter22" } };
    await using host = await openToolServer([rows, shot], { root, session });
    const { tools } = await host.client.listTools();
    expect(tools[0]?.outputSchema).toMatchObject({ type: "object", required: ["rows"] });
    expect(tools[0]?.outputSchema).not.toHaveProperty("$schema");
    const result = await host.call("rows");
    expect(result.content).toEqual([{ type: "text", text: "2 rows" }]);
    expect(result.structuredContent).toMatchObject({ rows: ["a", expect.not.stringContaining("hunter22")] });
    expect((await host.call("shot")).content).toEqual([
      { type: "text", text: "a" },
      { type: "image", data: "aGk=", mimeType: "image/png" },
    ]);
  });

  it("has an output that is no object as text alone, and refuses a structured one that is far too large", async () => {
    const list = tool("list", { output: z.array(z.number()) as never, execute: () => [1, 2] });
    const huge = tool("huge", {
      output: z.object({ text: z.string() }) as never,
      execute: () => ({ text: "x".repeat(1_000_001) }),
    });
    await using host = await openToolServer([list, huge], { root });
    expect((await host.client.listTools()).tools.map((one) => one.outputSchema !== undefined)).toEqual([
      true,
      false,
    ]);
    expect(await host.call("list")).toEqual({ content: [{ type: "text", text: "[1,2]" }] });
    const result = await host.call("huge");
    expect(result.isError).toBe(true);
    expect(textIn(result)).toMatch(
      /result_not_sent.*the call succeeded[\s\S]*the whole is session:mcp_2\.txt/,
    );
  });

  it("tells its progress to a host that wants to hear it", async () => {
    const slow = tool("slow", {
      execute: (_, ctx) => {
        ctx.progress("half");
        ctx.progress("nearly");
        return "done";
      },
    });
    await using host = await openToolServer([slow], { root });
    const heard: unknown[] = [];
    await host.client.callTool({ name: "slow" }, undefined, {
      onprogress: (progress) => void heard.push(progress),
    });
    expect(heard).toEqual([
      { progress: 1, message: "half" },
      { progress: 2, message: "nearly" },
    ]);
    expect(textIn(await host.call("slow"))).toBe("done");
  });

  it("is stopped when the host cancels it, and when the host goes", async () => {
    let started = Promise.withResolvers<AbortSignal>();
    const stuck = tool("stuck", {
      execute: (_, ctx) => {
        started.resolve(ctx.signal);
        return new Promise(() => {});
      },
    });
    await using host = await openToolServer([stuck, tool("ok")], { root });
    const controller = new AbortController();
    const call = host.client.callTool({ name: "stuck" }, undefined, { signal: controller.signal });
    const signal = await started.promise;
    controller.abort("enough");
    await expect(call).rejects.toThrow("enough");
    await new Promise(
      (resolve) => signal.addEventListener("abort", resolve) ?? (signal.aborted && resolve(0)),
    );
    expect(textIn(await host.call("ok"))).toBe("done");

    started = Promise.withResolvers();
    host.client.callTool({ name: "stuck" }).catch(() => {});
    const second = await started.promise;
    await host.client.close();
    await host.server.closed;
    await host.server.close();
    expect(second.aborted).toBe(true);
  });
});
