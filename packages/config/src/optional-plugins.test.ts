import { definePlugin, type Plugin, type SetupError } from "@toycoder/core";
import { tempWorkspace } from "@toycoder/testing";
import { expect, test } from "vitest";
import { checkPeer } from "./check-peer.ts";
import type { PluginEntry } from "./define-config.ts";
import { type PluginOrigin, resolvePlugins } from "./resolve-plugins.ts";
import { setupPlugins } from "./setup-plugins.ts";

const context = { root: "/", secretVariables: [] };
const good = definePlugin({ name: "good", version: "1.0.0", api: 1, setup: () => ({ tools: [] }) });
const bad = definePlugin({
  name: "bad",
  version: "1.0.0",
  api: 1,
  setup: () => {
    throw new Error("no server");
  },
});

async function load(entries: readonly PluginEntry[]): Promise<{ names: string[]; leftOut: string[] }> {
  const origins = new Map<Plugin, PluginOrigin>();
  const leftOut: string[] = [];
  const onLeftOut = ({ message }: SetupError): void => void leftOut.push(message);
  const plugins = await resolvePlugins(entries, {
    builtins: { good: async () => ({ good }), bad: async () => ({ bad }) },
    importer: async (name) => {
      throw Object.assign(new Error(`Cannot find package '${name}'`), { code: "ERR_MODULE_NOT_FOUND" });
    },
    onResolved: (plugin, origin) => void origins.set(plugin, origin),
    onLeftOut,
  });
  const isOptional = (plugin: Plugin): boolean => origins.get(plugin)?.optional === true;
  const done = await setupPlugins(plugins, context, { isOptional, onLeftOut });
  return { names: done.map(({ plugin }) => plugin.name), leftOut };
}

test("an optional plugin that can't be found or set up is left out, and told", async () => {
  const optional = { optional: true };
  expect(
    await load([
      ["bad", optional],
      ["none", optional],
      ["good", optional],
    ]),
  ).toEqual({
    names: ["good"],
    leftOut: [
      'plugins[1]: the plugin "none": there is no such plugin built in, and no package @toycoder/plugin-none or toycoder-plugin-none',
      "plugin bad: no server",
    ],
  });
});

test("without the word, or with false, it stops the run", async () => {
  await expect(load(["bad"])).rejects.toThrow("plugin bad: no server");
  await expect(load([["none", { optional: false }]])).rejects.toThrow("no such plugin built in");
});

test("the word is no option, also of a plugin that was called already", async () => {
  expect(await load([[good, { optional: true }]])).toEqual({ names: ["good"], leftOut: [] });
  const called = [good(), { optional: true }] as unknown as PluginEntry;
  expect(await load([called])).toEqual({ names: ["good"], leftOut: [] });
  // Another value is an option like any other, which this plugin doesn't have.
  await expect(load([[good, { optional: "yes" }] as unknown as PluginEntry])).rejects.toThrow(
    "optional: it takes no options",
  );
});

test.each<[range: string | undefined, version: string | undefined, refused: RegExp | undefined]>([
  ["^1.2.0", "1.3.0", undefined],
  ["^1.2.0", "1.1.0", /update toycoder/],
  ["^1.2.0", "2.0.0", /update the plugin/],
  ["^1.2.0 || ^2", "2.0.0", undefined],
  [">=1", "2.0.0-rc.1", undefined],
  ["workspace:^", "1.0.0", undefined],
  ["latest", "1.0.0", undefined],
  [undefined, "1.0.0", undefined],
  ["^9", undefined, undefined],
])("the peer range %s and the version %s", (range, version, refused) => {
  const manifest = { name: "x", version: "3.1.0", peerDependencies: { "@toycoder/core": range } };
  using folder = tempWorkspace({ "node_modules/x/package.json": JSON.stringify(manifest) });
  let thrown: SetupError | undefined;
  try {
    checkPeer("x", folder.path("."), version);
  } catch (error) {
    thrown = error as SetupError;
  }
  if (refused === undefined) expect(thrown).toBeUndefined();
  else {
    expect(thrown?.message).toBe(`x 3.1.0 is made for @toycoder/core ${range}; this toycoder has ${version}`);
    expect(thrown?.hint).toMatch(refused);
  }
});
