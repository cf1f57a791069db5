import { pathToFileURL } from "node:url";
import { definePlugin, defineTool, type PluginFactory } from "@toycoder/core";
import { afterAll, describe, expect, it, test } from "vitest";
import { z } from "zod";
import { describePlugin } from "./describe-plugin.ts";
import { importFindings } from "./describe-plugin/import-findings.ts";
import { pluginContract } from "./describe-plugin/plugin-contract.ts";
import { probeImport } from "./describe-plugin/probe-import.ts";
import type { PluginSubject } from "./describe-plugin/subject.ts";
import { tempWorkspace } from "./temp-workspace.ts";

const folder = tempWorkspace();
afterAll(() => folder.dispose());
const moduleOf = (source: string, name = "plugin.mjs"): string =>
  pathToFileURL(folder.write(name, source)).href;

/** A plugin as a module: by its mark, as a copy of core would make it. */
const PLUGIN = `
const setup = async () => ({ tools: [] });
const factory = () => ({ name: "shout", version: "1.2.0", api: 1, setup });
export default Object.assign(factory, { [Symbol.for("@toycoder/plugin")]: true });
`;
const OFFLINE = PLUGIN.replace(
  "({ tools: [] })",
  "{ await fetch('https://example.com/'); return { tools: [] }; }",
);

const tool = defineTool({
  name: "shout",
  description: "Write a text in capitals; returns it.",
  input: z.object({ text: z.string().describe("Any text") }),
  execute: ({ text }) => text.toUpperCase(),
});
const options = z.strictObject({ server: z.object({ port: z.int() }).optional() });
const plugin = definePlugin({
  name: "shout",
  version: "1.2.0",
  api: 1,
  options,
  setup: () => ({ tools: [tool] }),
});
const manifest = {
  name: "toycoder-plugin-shout",
  version: "1.2.0",
  keywords: ["toycoder-plugin"],
  peerDependencies: { "@toycoder/core": "^1.0.0" },
};
const subject = (changes: Partial<PluginSubject> = {}): PluginSubject => ({
  plugin,
  manifest,
  entry: moduleOf(PLUGIN, "good.mjs"),
  wrongOptions: [{ options: { server: { port: "x" } }, path: "server.port" }],
  ...changes,
});

describePlugin(subject(), { describe, test });

async function failuresOf(given: PluginSubject): Promise<string> {
  const failures: string[] = [];
  for (const { name, run } of pluginContract(given)) {
    await run().catch((error: Error) => failures.push(`${name}: ${error.message}`));
  }
  return failures.join("\n");
}

const made = (changes: object): PluginFactory<never> =>
  definePlugin({ name: "shout", version: "1.2.0", api: 1, options, setup: () => ({ tools: [tool] }), ...changes }) as PluginFactory<never>; // prettier-ignore

describe("the plugin contract", () => {
  it.each<[string, Partial<PluginSubject>, RegExp]>([
    [
      "a version that is none",
      { plugin: made({ version: "v1" }), manifest: { ...manifest, version: "v1" } },
      /a semver version/,
    ],
    ["another API", { plugin: made({ api: 2 }) }, /api/],
    [
      "another version than its package's",
      { manifest: { ...manifest, version: "1.3.0" } },
      /is its package's/,
    ],
    ["a package without the keyword", { manifest: { ...manifest, keywords: [] } }, /keywords hold/],
    [
      "core as a dependency",
      { manifest: { ...manifest, dependencies: { "@toycoder/core": "1" } } },
      /don't hold/,
    ],
    [
      "options that anything fits",
      { plugin: made({ options: z.looseObject({}) }) },
      /options are taken.*notAnOption/,
    ],
    [
      "options that name no path",
      { wrongOptions: [{ options: { server: { port: "x" } }, path: "server.host" }] },
      /names server.host/,
    ],
    ["tools that differ at the second set-up", { plugin: made({ setup: once() }) }, /can be set up twice/],
    [
      "a set-up that needs a network",
      { entry: moduleOf(OFFLINE, "offline.mjs") },
      /set up without a network: fetch failed/,
    ],
    ["a module without a plugin", { entry: moduleOf("export default 1;", "none.mjs") }, /exports no plugin/],
    [
      "an import that prints",
      { entry: moduleOf("console.log('hello')", "loud.mjs") },
      /import_prints.*hello/,
    ],
  ])("finds %s", async (_, changes, what) => {
    expect(await failuresOf(subject(changes))).toMatch(what);
  });
});

/** A set-up that brings its tool once. */
function once(): () => object {
  let times = 0;
  return () => ({ tools: times++ === 0 ? [tool] : [] });
}

describe("an import in a process of its own", () => {
  const findings = async (source: string): Promise<string[]> =>
    importFindings(await probeImport(moduleOf(source, `${Math.abs(hash(source))}.mjs`)), "x").map(
      ({ code, message }) => `${code}: ${message}`,
    );
  const hash = (text: string): number =>
    [...text].reduce((sum, char) => (sum * 31 + char.charCodeAt(0)) | 0, 7);

  it("finds nothing where nothing is done", async () => {
    expect(await findings("import fs from 'node:fs'; export default fs.existsSync('/');")).toEqual([]);
    // Reading lazy globals, or asking whether stdout is a terminal, changes nothing.
    expect(
      await findings("void [fetch, crypto, WebSocket, process.stdout.isTTY, process.stdin.isTTY];"),
    ).toEqual([]);
  });

  it.each([
    [
      "import { writeFileSync } from 'node:fs'; writeFileSync('/tmp/never', '');",
      /^import_writes: .*\/tmp\/never/,
    ],
    ["import fs from 'node:fs/promises'; await fs.mkdir('deep').catch(() => {});", /^import_writes: .*deep/],
    [
      "import { createWriteStream } from 'node:fs'; try { createWriteStream('log.txt') } catch {}",
      /log\.txt/,
    ],
    [
      "import { openSync } from 'node:fs'; try { openSync('x.db', 'a+') } catch {}",
      /^import_writes: .*x\.db/,
    ],
    [
      "import { execSync } from 'node:child_process'; try { execSync('git status') } catch {}",
      /^import_starts_process: .*git status/,
    ],
    ["try { process.kill(1) } catch {}", /^import_starts_process: .*kill SIGTERM 1/],
    ["import { spawn } from 'node:child_process'; try { spawn('ls', ['-l']) } catch {}", /ls -l/],
    ["await fetch('http://127.0.0.1:4999/x').catch(() => {});", /^import_connects: .*127\.0\.0\.1:4999/],
    ["import net from 'node:net'; net.connect(9, '127.0.0.1').on('error', () => {});", /^import_connects/],
    ["import dns from 'node:dns/promises'; await dns.lookup('example.com').catch(() => {});", /example\.com/],
    ["globalThis.cache = new Map();", /^import_changes_globals: .*globalThis\.cache/],
    ["Array.prototype.last = function () { return this.at(-1); };", /Array\.prototype\.last/],
    ["const { log } = console; console.log = (...all) => log('x', ...all);", /console\.log/],
    ["process.on('SIGINT', () => {});", /a listener of process "SIGINT"/],
    ["process.env.DEBUG = '1';", /process\.env\.DEBUG/],
    ["process.chdir('/');", /the working folder/],
    ["setInterval(() => {}, 1000);", /^import_leaves_open: .*Timeout/],
    [
      "import http from 'node:http'; http.createServer().listen(0, '127.0.0.1');",
      /^import_leaves_open: .*TCP/,
    ],
    ["process.stdout.write('hi');", /^import_prints: .*hi/],
    ["throw new Error('not today');", /^import_failed: .*not today/],
    ["process.exit(3);", /^import_failed: .*exit code 3/],
    ["await new Promise(() => {});", /^import_failed/],
    ["import 'no-such-package';", /^import_failed: .*no-such-package/],
  ])("finds %s", async (source, what) => {
    const found = await findings(source);
    expect(found).toHaveLength(1);
    expect(found[0]).toMatch(what);
  });
});
