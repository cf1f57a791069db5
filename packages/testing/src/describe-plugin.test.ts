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
  const findings = async (name: string, source: string): Promise<string[]> =>
    importFindings(await probeImport(moduleOf(source, name)), "x").map(({ code }) => code);

  it("finds nothing where nothing is done", async () => {
    expect(
      await findings("quiet.mjs", "import fs from 'node:fs'; export default fs.existsSync('/');"),
    ).toEqual([]);
  });

  it("finds all that is done", async () => {
    const lines = [
      "import { writeFileSync } from 'node:fs';",
      "try { writeFileSync('/tmp/never', '') } catch {}",
      "await fetch('http://127.0.0.1:4999/x').catch(() => {});",
      "globalThis.cache = new Map();",
      "setInterval(() => {}, 1000);",
      "process.stdout.write('hi');",
    ];
    expect((await findings("busy.mjs", lines.join("\n"))).toSorted()).toEqual([
      "import_changes_globals",
      "import_connects",
      "import_leaves_open",
      "import_prints",
      "import_writes",
    ]);
  });
});
