import { execFile } from "node:child_process";
import { cpSync, globSync, readFileSync } from "node:fs";
import path from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import type { RunResult } from "@toycoder/agent";
import { tempWorkspace } from "@toycoder/testing";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { CheckReport } from "../plugin-check/check-plugin.ts";
import { cassette, SAFE_TOOLS } from "../test-support/cassette.ts";
import { localRegistry, type LocalRegistry, strangersEnv } from "../test-support/local-registry.ts";

const run = promisify(execFile);
const ROOT = fileURLToPath(new URL("../../../../", import.meta.url));
const SKIPPED = /(?:^|[\\/])(?:\.git|node_modules|dist|\.turbo|\.reports|coverage|\.snippets)$/;

/** Builds a copy of this repository as its release does, and publishes every package of it. Gives its version. */
async function release(copy: string, { env }: LocalRegistry): Promise<string> {
  cpSync(ROOT, copy, { recursive: true, filter: (file) => !SKIPPED.test(path.relative(ROOT, file)) });
  const bins = [path.join(copy, "node_modules/.bin"), path.join(ROOT, "node_modules/.bin")];
  const inCopy = {
    cwd: copy,
    env: { ...env, PATH: [...bins, env["PATH"]].join(path.delimiter), CI: "true" },
    maxBuffer: 1 << 26,
  };
  // Its own packages, never a link to this workspace's: pnpm writes there.
  await run("pnpm", ["install", "--frozen-lockfile", "--prefer-offline"], {
    ...inCopy,
    env: { ...strangersEnv(), PATH: inCopy.env.PATH, CI: "true" },
  });
  const git = (...args: string[]) =>
    run("git", ["-c", "user.name=A", "-c", "user.email=a@example.com", ...args], inCopy);
  await git("init", "--quiet", "--initial-branch=main");
  await git("add", "--all");
  await git("commit", "--quiet", "--message=all of it");
  await run("changeset", ["version"], inCopy);
  await run("node", ["scripts/sync-versions.mjs"], inCopy);
  await run("tsc", ["-b", "tsconfig.build.json"], inCopy);
  await run(path.join(copy, "apps/cli/node_modules/.bin/tsdown"), [], {
    ...inCopy,
    cwd: path.join(copy, "apps/cli"),
  });
  await git("commit", "--all", "--quiet", "--message=release");
  await run("changeset", ["publish"], inCopy);
  return (JSON.parse(readFileSync(path.join(copy, "apps/cli/package.json"), "utf8")) as { version: string })
    .version;
}

describe("the way of a plugin from nothing to a published package, and of its user", () => {
  const folder = tempWorkspace();
  let registry: LocalRegistry;
  let version: string;
  const author = folder.path("author");
  const user = folder.path("user");
  const made = path.join(author, "toycoder-plugin-text-stats");
  const at = (cwd: string) => ({
    cwd,
    env: { ...registry.env, TOYCODER_STATE_DIR: folder.path("state") },
    maxBuffer: 1 << 26,
  });

  beforeAll(async () => {
    registry = await localRegistry();
    version = await release(folder.path("copy"), registry);
  }, 600_000);
  afterAll(async () => {
    await registry?.[Symbol.asyncDispose]();
    folder.dispose();
  }, 120_000);

  it("all packages are published, in one version", async () => {
    expect(version).toMatch(/^\d+\.\d+\.\d+$/);
    expect(version).not.toBe("0.0.0");
    const manifests = globSync("{packages,apps}/*/package.json", { cwd: folder.path("copy") });
    for (const manifest of manifests) {
      const { name } = JSON.parse(folder.read(path.join("copy", manifest))) as { name: string };
      const { stdout } = await run("npm", ["view", name, "version"], at(folder.root));
      expect(`${name} ${stdout.trim()}`).toBe(`${name} ${version}`);
    }
  });

  it("an author makes one, in an empty folder with toycoder from npm", async () => {
    folder.write("author/package.json", '{ "name": "desk", "version": "1.0.0", "private": true }\n');
    await run("npm", ["install", "toycoder"], at(author));
    const { stdout } = await run("npx", ["toycoder", "create", "plugin", "text-stats", "--yes"], at(author));
    expect(stdout).toMatch(/^wrote toycoder-plugin-text-stats to /);
  });

  it("passes its own tests, types and check at once", async () => {
    await run("npm", ["install"], at(made));
    const { stdout: tests } = await run("npm", ["test"], at(made));
    expect(tests).toMatch(/tests 19\b[\s\S]*fail 0\b/);
    await run("npm", ["run", "typecheck"], at(made));
    const { stdout: checked } = await run("npm", ["run", "check"], at(made));
    expect(checked).toMatch(/Nothing is wrong\./);
  });

  it("a changeset sets its version, in package.json and in what it tells of itself", async () => {
    folder.write(
      "author/toycoder-plugin-text-stats/.changeset/first.md",
      '---\n"toycoder-plugin-text-stats": minor\n---\n\nThe first one.\n',
    );
    await run("npm", ["run", "bump"], at(made));
    expect(folder.read("author/toycoder-plugin-text-stats/src/plugin.ts")).toContain('version: "0.2.0"');
    const { stdout } = await run("npm", ["test"], at(made));
    expect(stdout).toMatch(/fail 0\b/);
  });

  it("is published", async () => {
    await run("npm", ["publish"], at(made));
    const { stdout } = await run(
      "npm",
      ["view", "toycoder-plugin-text-stats", "version", "keywords", "--json"],
      at(author),
    );
    expect(JSON.parse(stdout)).toEqual({ version: "0.2.0", keywords: ["toycoder", "toycoder-plugin"] });
  });

  it("a user installs it, adds it to a config, and a run uses it", async () => {
    folder.write("user/package.json", '{ "name": "project", "version": "1.0.0", "private": true }\n');
    folder.write("user/poem.txt", "one\n\nthree\n");
    const tool = "text_stats_count_lines";
    const calls = [{ name: tool, arguments: { path: "poem.txt" } }];
    folder.write(
      "user/c.jsonl",
      await cassette([{ calls }, { text: "Three lines." }], [...SAFE_TOOLS, tool].toSorted()),
    );
    await run("npm", ["install", "--save-dev", "toycoder"], at(user));
    await run("npx", ["toycoder", "init", "--yes", "--model", "replay:c.jsonl"], at(user));
    const { stdout: added } = await run("npx", ["toycoder", "plugin", "add", "text-stats"], at(user));
    expect(added).toMatch(/^text-stats 0\.2\.0 is in .*toycoder\.config\.ts\n/);
    expect(folder.read("user/toycoder.config.ts")).toContain(
      'plugins: ["files", "search", "shell", "question", "toycoder-plugin-text-stats"],',
    );
    const { stdout, stderr } = await run(
      "npx",
      ["toycoder", "run", "Count.", "--output", "stream-json"],
      at(user),
    );
    expect(stderr).toBe("");
    const events = stdout.trimEnd().split("\n").map((line) => JSON.parse(line) as { type: string; result?: RunResult }); // prettier-ignore
    expect(JSON.stringify(events.find(({ type }) => type === "tool_result"))).toContain(
      "3 lines, 1 of them empty",
    );
    expect(events.at(-1)?.result).toMatchObject({ exitCode: 0, toolCalls: 1, text: "Three lines." });
  });

  it("the installed package passes the check, too, and is listed with where it is from", async () => {
    const { stdout } = await run("npx", ["toycoder", "plugin", "check", "text-stats", "--json"], at(user));
    expect(JSON.parse(stdout) as CheckReport).toMatchObject({
      errors: 0,
      warnings: 0,
      package: { version: "0.2.0" },
    });
    const { stdout: listed } = await run("npx", ["toycoder", "plugin", "list"], at(user));
    expect(listed).toContain(
      "text-stats 0.2.0  toycoder-plugin-text-stats (plugins[4])\n  text_stats_count_lines\n",
    );
  });
});
