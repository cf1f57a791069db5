import { spawn } from "node:child_process";
import { createRequire } from "node:module";
import path from "node:path";
import { text } from "node:stream/consumers";
import { expect, test } from "vitest";
import { temporaryFolder } from "./test-support/open-servers.ts";

const manifest = createRequire(import.meta.url).resolve("@modelcontextprotocol/conformance/package.json");
const SUITE = path.join(path.dirname(manifest), "dist/index.js");
const CLIENT = path.join(import.meta.dirname, "test-support", "conformance-client.ts");

// The suite's other scenarios for clients are all of OAuth: see docs/mcp.md.
test.each(["initialize", "tools_call", "elicitation-sep1034-client-defaults", "sse-retry"])(
  "the conformance suite's scenario %s",
  async (scenario) => {
    const command = `${process.execPath} --conditions=@toycoder/source ${CLIENT}`;
    const child = spawn(process.execPath, [SUITE, "client", "--command", command, "--scenario", scenario], {
      cwd: temporaryFolder(),
      stdio: ["ignore", "pipe", "pipe"],
    });
    const said = await text(child.stdout);
    const told = await text(child.stderr);
    expect(`${said}${told}`).toMatch(/Passed: (\d+)\/\1, 0 failed, 0 warnings/);
  },
);
