import assert from "node:assert/strict";
import {
  isPluginFactory,
  isSetupError,
  isTool,
  type Plugin,
  type PluginParts,
  ToolRegistry,
} from "@toycoder/core";
import { findingText } from "../finding.ts";
import type { ContractCase } from "../model-contract/subject.ts";
import { tempWorkspace } from "../temp-workspace.ts";
import { importFindings } from "./import-findings.ts";
import { probeImport } from "./probe-import.ts";
import type { PluginSubject } from "./subject.ts";

const SEMVER = /^\d+\.\d+\.\d+(?:-[\w.-]+)?(?:\+[\w.-]+)?$/;
const PACKAGE_NAME = /^(?:@[\w.-]+\/toycoder-plugin-|toycoder-plugin-|@toycoder\/plugin-)[a-z0-9._-]+$/;

/** The cases that a plugin has to pass, for any test runner. */
export function pluginContract(subject: PluginSubject): ContractCase[] {
  const { plugin, manifest, entry, options, wrongOptions = [] } = subject;
  const make = (given: unknown): Plugin => plugin(given as undefined);
  return [
    {
      name: "tells its name, version and API without being set up",
      run: async () => {
        assert.ok(isPluginFactory(plugin), "it is what definePlugin gives");
        assert.match(plugin.pluginName, /^[a-z][a-z0-9-]*$/, "a name has small letters, digits and dashes");
        assert.match(plugin.version, SEMVER, "the version is a semver version");
        assert.equal(plugin.api, 1, "api");
      },
    },
    ...(manifest === undefined ? [] : packageCases(subject, manifest)),
    {
      name: "can be set up twice, and disposed of",
      run: async () => {
        const [one, two] = [await setUp(make(options)), await setUp(make(options))];
        assert.deepEqual(namesOf(one), namesOf(two));
        assert.ok(one.tools.every(isTool), "every tool was made by defineTool");
        new ToolRegistry().registerMany(one.tools);
        await one.dispose?.();
        // What one has let go of, the other still has.
        await two.dispose?.();
      },
    },
    {
      name: "refuses an option that it doesn't know, by its name",
      run: () => refuses(make({ ...options, notAnOption: 1 }), "notAnOption"),
    },
    ...wrongOptions.map((one) => ({
      name: `refuses ${JSON.stringify(one.options)}, and names ${one.path}`,
      run: () => refuses(make(one.options), one.path),
    })),
    ...(entry === undefined
      ? []
      : [
          {
            name: "does nothing when it is imported, and is set up without a network",
            run: async () => {
              const probed = await probeImport(entry, options ?? {});
              assert.equal(importFindings(probed, entry).map(findingText).join("\n"), "");
              assert.equal(
                probed.setup?.failed,
                undefined,
                `set up without a network: ${probed.setup?.failed}`,
              );
            },
          },
        ]),
  ];
}

function packageCases(
  { plugin }: PluginSubject,
  manifest: Readonly<Record<string, unknown>>,
): ContractCase[] {
  return [
    {
      name: "is the plugin of its package: name, version, keyword, peer",
      run: async () => {
        const { name, version, keywords, peerDependencies: peers, dependencies } = manifest;
        assert.match(String(name), PACKAGE_NAME);
        assert.equal(plugin.version, version, "the version that the plugin tells is its package's");
        assert.ok(
          Array.isArray(keywords) && keywords.includes("toycoder-plugin"),
          'keywords hold "toycoder-plugin"',
        );
        const has = (field: unknown): boolean =>
          typeof field === "object" && field !== null && "@toycoder/core" in field;
        assert.ok(has(peers), "peerDependencies hold @toycoder/core");
        assert.ok(!has(dependencies), "dependencies don't hold @toycoder/core");
      },
    },
  ];
}

async function setUp(plugin: Plugin): Promise<PluginParts> {
  using folder = tempWorkspace();
  return await plugin.setup({ root: folder.root, secretVariables: [] });
}

const namesOf = ({ tools }: PluginParts): string[] => tools.map(({ name, version }) => `${name} ${version}`);

async function refuses(plugin: Plugin, key: string): Promise<void> {
  const parts = await setUp(plugin).catch((error: unknown) => {
    assert.ok(isSetupError(error), `a SetupError is thrown, not ${String(error)}`);
    assert.equal(error.code, "plugin_options", error.message);
    assert.ok(error.message.includes(key), `${error.message} names ${key}`);
    return undefined;
  });
  if (parts === undefined) return;
  await parts.dispose?.();
  assert.fail(`the options are taken; nothing is said of ${key}`);
}
