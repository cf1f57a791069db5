import { spawn } from "node:child_process";
import { createRequire } from "node:module";
import path from "node:path";
import { text } from "node:stream/consumers";
import { createPolicy, createSession, createWorkspace, ToolRegistry } from "@toycoder/core";
import { tempWorkspace } from "@toycoder/testing";
import { afterAll, beforeAll, expect, test } from "vitest";
import { CONFORMANCE_TOOLS } from "../test-support/conformance-tools.ts";
import { type HttpBridge, serveOverHttp } from "../test-support/serve-over-http.ts";
import { ToolServer } from "./tool-server.ts";

const manifest = createRequire(import.meta.url).resolve("@modelcontextprotocol/conformance/package.json");
const SUITE = path.join(path.dirname(manifest), "dist/index.js");

// The others ask for what this server does not offer: docs/mcp.md names each with its reason.
const SCENARIOS = [
  "server-initialize",
  "ping",
  "tools-list",
  "tools-call-simple-text",
  "tools-call-image",
  "tools-call-error",
  "tools-call-with-progress",
  "tools-call-elicitation",
  "server-sse-multiple-streams",
  "dns-rebinding-protection",
];

const folder = tempWorkspace();
const { root } = folder;
let bridge: HttpBridge;
beforeAll(async () => {
  const registry = new ToolRegistry();
  registry.registerMany(CONFORMANCE_TOOLS);
  bridge = await serveOverHttp(
    () =>
      new ToolServer({
        info: { name: "toycoder", version: "1.0.0" },
        openSession: (ask) =>
          createSession({
            registry,
            policy: createPolicy({ root }),
            workspace: createWorkspace({ root }),
            ask,
          }),
      }),
  );
});
afterAll(async () => {
  await bridge[Symbol.asyncDispose]();
  folder.dispose();
});

async function outcomeOf(scenario: string): Promise<string> {
  const child = spawn(process.execPath, [SUITE, "server", "--url", bridge.url, "--scenario", scenario], {
    cwd: root,
    stdio: ["ignore", "pipe", "pipe"],
  });
  const [said, told] = await Promise.all([text(child.stdout), text(child.stderr)]);
  return said + told;
}

test.each(SCENARIOS)("the conformance suite's scenario %s", async (scenario) => {
  expect(await outcomeOf(scenario)).toMatch(/Passed: (\d+)\/\1, 0 failed, 0 warnings/);
});

test("the scenario json-schema-2020-12, but for $schema, which is left out on purpose", async () => {
  const outcome = await outcomeOf("json-schema-2020-12");
  expect(outcome).toContain("Passed: 3/4, 1 failed, 0 warnings");
  expect(outcome).toContain("Error: $schema field missing");
});
