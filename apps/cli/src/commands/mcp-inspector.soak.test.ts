import { execFile } from "node:child_process";
import { promisify } from "node:util";
import { tempWorkspace } from "@toycoder/testing";
import { afterAll, beforeAll, expect, it } from "vitest";
import { SAFE_TOOLS } from "../test-support/cassette.ts";
import { BIN } from "../test-support/run-toycoder.ts";

const run = promisify(execFile);
/** Too large (110 MB) for a dependency of the workspace: it is installed for this test alone. */
const INSPECTOR = "@modelcontextprotocol/inspector@2.12.0";

const folder = tempWorkspace({ "tool/package.json": '{ "private": true }\n', "work/a.txt": "hello\n" });
afterAll(() => folder.dispose());

/** The environment without what npm and pnpm tell the programs that they start. */
const env = (): NodeJS.ProcessEnv => ({
  ...Object.fromEntries(
    Object.entries(process.env).filter(
      ([name]) => !/^(npm_|pnpm_|NODE_(ENV|OPTIONS|PATH)$|VITEST)/i.test(name),
    ),
  ),
  MCP_CATALOG_PATH: folder.path("catalog.json"),
  TOYCODER_STATE_DIR: folder.path("state"),
});

beforeAll(async () => {
  const flags = ["--no-audit", "--no-fund", "--ignore-scripts", "--fetch-retries=1"];
  await run("npm", ["install", ...flags, INSPECTOR], { cwd: folder.path("tool"), env: env() });
}, 300_000);

/** What the official Inspector prints of `toycoder mcp serve`. Rejects where it exits with another code than 0. */
async function inspect(...args: string[]): Promise<unknown> {
  const inspector = folder.path("tool/node_modules/.bin/mcp-inspector");
  const words = [inspector, "--cli", ...args, "--", process.execPath, BIN, "mcp", "serve"];
  const { stdout } = await run(process.execPath, words, { cwd: folder.path("work"), env: env() });
  return JSON.parse(stdout);
}

it("the Inspector lists the tools, and finds nothing wrong with their schemas", async () => {
  const { tools } = (await inspect("--method", "tools/list", "--strict")) as { tools: { name: string }[] };
  expect(tools.map(({ name }) => name)).toEqual(SAFE_TOOLS);
});

it("the Inspector calls them", async () => {
  const call = ["--method", "tools/call", "--tool-name"];
  const read = await inspect(...call, "read_file", "--tool-arg", "path=a.txt", "limit=5");
  expect(JSON.stringify(read)).toContain("1: hello");
  const refused = inspect(...call, "write_file", "--tool-arg", "path=a.txt", "content=x");
  await expect(refused).rejects.toMatchObject({ stdout: expect.stringContaining("approval_required") });
});
