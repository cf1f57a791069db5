import { mkdirSync, realpathSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import path from "node:path";
import { expect, test } from "vitest";
import { openServers, temporaryFolder } from "./test-support/open-servers.ts";

const { resolve } = createRequire(import.meta.url);
const script = (name: string): string => {
  const manifest = resolve(`@modelcontextprotocol/${name}/package.json`);
  return path.join(path.dirname(manifest), "dist/index.js");
};
const support = (name: string): string => path.join(import.meta.dirname, "test-support", name);
const run = (file: string, ...args: string[]): { command: string; args: string[] } => ({
  command: process.execPath,
  args: [file, ...args],
});

test("the reference servers everything, filesystem and memory", async () => {
  const folder = realpathSync(temporaryFolder());
  mkdirSync(path.join(folder, "docs"));
  writeFileSync(path.join(folder, "docs", "a.txt"), "the text of a");
  await using opened = await openServers({
    everything: run(script("server-everything"), "stdio"),
    files: run(script("server-filesystem"), folder),
    memory: { ...run(script("server-memory")), env: { MEMORY_FILE_PATH: path.join(folder, "memory.json") } },
  });
  expect(
    opened.servers.reports().map(({ server, state, leftOut, error }) => [server, state, leftOut, error]),
  ).toEqual([
    ["everything", "ready", [], null],
    ["files", "ready", [], null],
    ["memory", "ready", [], null],
  ]);
  expect(await opened.say("everything__echo", { message: "hello" })).toBe("Echo: hello");
  expect(await opened.say("everything__get_sum", { a: 2, b: 3 })).toContain("5");
  const image = await opened.call("everything__get_tiny_image");
  expect(image.content.map(({ type }) => type)).toContain("image");
  expect(await opened.say("mcp_list_resources", { server: "everything" })).toContain("demo://resource/");
});

test("servers on the second SDK and on fastmcp", async () => {
  await using opened = await openServers({
    second: run(support("second-sdk-server.ts")),
    fast: run(support("fastmcp-server.ts")),
  });
  expect(opened.servers.reports().map(({ name, version, error }) => [name, version, error])).toEqual([
    ["second-sdk", "2.0.0", null],
    ["on-fastmcp", "3.1.0", null],
  ]);
  expect(await opened.call("second__multiply", { a: 6, b: 7 })).toMatchObject({
    ok: true,
    output: { structuredContent: { product: 42 } },
  });
  expect(await opened.say("fast__shout", { text: "hello" })).toBe("HELLO");
  expect(await opened.call("fast__shout", { text: "" })).toMatchObject({
    ok: false,
    error: { code: "tool_failed" },
  });
});
