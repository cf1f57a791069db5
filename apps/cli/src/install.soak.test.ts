import { execFile } from "node:child_process";
import { globSync, readdirSync, readFileSync } from "node:fs";
import path from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import type { RunResult } from "@toycoder/agent";
import { tempWorkspace } from "@toycoder/testing";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { ALL_TOOLS, cassette } from "./test-support/cassette.ts";

const run = promisify(execFile);
const ROOT = fileURLToPath(new URL("../../../", import.meta.url));

/** The environment without what npm and pnpm tell the programs that they start. */
const env = (): NodeJS.ProcessEnv =>
  Object.fromEntries(
    Object.entries(process.env).filter(
      ([name]) => !/^(npm_|pnpm_|NODE_(ENV|OPTIONS|PATH)$|VITEST)/i.test(name),
    ),
  );

/** The Node that npm was started with, before the workspace's own came in front of PATH. */
const OUTER_NODE = process.env["npm_node_execpath"] ?? process.execPath;

const CONFIG = `import { defineConfig } from "toycoder";
export default defineConfig({
  model: "replay:c.jsonl",
  permissions: { allow: ["write_file(out/**)", "run_command(node --version)"] },
});
`;

describe("the packed packages, installed with npm in an empty folder", () => {
  const folder = tempWorkspace();
  const project = folder.path("project");
  afterAll(() => folder.dispose());

  beforeAll(async () => {
    for (const manifest of globSync("{packages,apps}/*/package.json", { cwd: ROOT })) {
      const cwd = path.dirname(path.join(ROOT, manifest));
      await run("pnpm", ["pack", "--pack-destination", folder.path("tarballs")], { cwd });
    }
    const tarballs = readdirSync(folder.path("tarballs")).map((name) =>
      folder.path(path.join("tarballs", name)),
    );
    folder.write("project/package.json", '{ "name": "stranger", "version": "1.0.0", "private": true }\n');
    const calls = [
      { name: "write_file", arguments: { path: "out/a.txt", content: "written\n" } },
      { name: "grep_search", arguments: { pattern: "stranger" } },
      { name: "run_command", arguments: { command: "node --version" } },
    ];
    folder.write("project/c.jsonl", await cassette([{ calls }, { text: "Done." }], ALL_TOOLS));
    folder.write("project/toycoder.config.ts", CONFIG);
    await run("npm", ["install", "--no-audit", "--no-fund", "--fetch-retries=1", ...tarballs], {
      cwd: project,
      env: env(),
    });
  }, 300_000);

  it("run a task with a config that imports defineConfig from toycoder", async () => {
    const { stdout, stderr } = await run("npx", ["toycoder", "run", "Do it.", "--output", "json"], {
      cwd: project,
      env: { ...env(), TOYCODER_STATE_DIR: folder.path("state") },
    });
    expect(stderr).toBe("");
    const result = JSON.parse(stdout) as RunResult;
    expect(result).toMatchObject({
      exitCode: 0,
      toolCalls: 3,
      denials: [],
      changes: [{ path: "out/a.txt" }],
    });
    expect(folder.read("project/out/a.txt")).toBe("written\n");
  });

  it("hold no source, no test, and no address of this workspace", () => {
    const files = globSync("node_modules/{toycoder,@toycoder/*}/**/*", { cwd: project });
    expect(files.length).toBeGreaterThan(50);
    expect(files.filter((file) => /\.test\.|\/src\/|tsbuildinfo|test-support/.test(file))).toEqual([]);
    for (const name of readdirSync(folder.path("project/node_modules/@toycoder"))) {
      const manifest = folder.read(`project/node_modules/@toycoder/${name}/package.json`);
      expect(manifest).not.toMatch(/workspace:|catalog:|@toycoder\/source/);
    }
  });

  it("answer on an older Node with one line that says which one is needed", async () => {
    const bin = path.join(project, "node_modules/toycoder/dist/bin.js");
    const { stdout: version } = await run(OUTER_NODE, ["--version"]);
    const [major = 0, minor = 0] = version.slice(1).split(".").map(Number);
    const old = major < 22 || (major === 22 && minor < 18);
    const told = await run(OUTER_NODE, [bin, "--version"]).then(
      ({ stdout }) => ({ code: 0, text: stdout }),
      (error: { code: number; stdout: string; stderr: string }) => ({ code: error.code, text: error.stderr }),
    );
    const expected = JSON.parse(
      readFileSync(path.join(project, "node_modules/toycoder/package.json"), "utf8"),
    ) as { version: string };
    expect(told).toEqual(
      old
        ? { code: 2, text: `toycoder needs Node 22.18 or later; this is Node ${version.trim().slice(1)}\n` }
        : { code: 0, text: `${expected.version}\n` },
    );
  });
});
