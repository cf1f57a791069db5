import { pathToFileURL } from "node:url";
import { definePlugin, isSetupError } from "@toycoder/core";
import { type TempWorkspace, tempWorkspace } from "@toycoder/testing";
import { afterEach, expect, test } from "vitest";
import { discoverPlugins } from "./discover-plugins.ts";
import { resolvePlugins } from "./resolve-plugins.ts";

let workspace: TempWorkspace | undefined;
afterEach(() => workspace?.dispose());

const manifest = (name: string, keywords: readonly string[]): string =>
  JSON.stringify({ name, type: "module", exports: "./index.js", keywords });

/** A folder with these dependencies, and these packages installed. */
function project(dependencies: object, packages: Readonly<Record<string, string>> = {}): string {
  const files = Object.entries(packages).map(([name, text]) => [`node_modules/${name}/package.json`, text]);
  workspace = tempWorkspace({
    "package.json": JSON.stringify(dependencies),
    "sub/.keep": "",
    ...(Object.fromEntries(files) as Record<string, string>),
  });
  return workspace.root;
}

const KEYWORDS = ["x", "toycoder-plugin"];

test("direct dependencies with the keyword, of every kind, sorted", () => {
  const folder = project(
    {
      dependencies: { "z-tools": "1", semver: "1" },
      devDependencies: { "@a/toycoder-plugin-b": "1", "z-tools": "1" },
      optionalDependencies: { "toycoder-plugin-absent": "1", "toycoder-plugin-c": "1" },
      peerDependencies: { "toycoder-plugin-peer": "1" },
    },
    {
      "z-tools": manifest("z-tools", KEYWORDS),
      semver: manifest("semver", ["version"]),
      "@a/toycoder-plugin-b": manifest("@a/toycoder-plugin-b", KEYWORDS),
      "toycoder-plugin-c": manifest("toycoder-plugin-c", KEYWORDS),
      "toycoder-plugin-indirect": manifest("toycoder-plugin-indirect", KEYWORDS),
    },
  );
  expect(discoverPlugins(folder)).toEqual(["@a/toycoder-plugin-b", "toycoder-plugin-c", "z-tools"]);
});

test("packages are found where Node finds them, above the folder too", () => {
  project({}, { tools: manifest("tools", KEYWORDS) });
  workspace?.write("sub/package.json", '{ "dependencies": { "tools": "1" } }');
  expect(discoverPlugins(workspace?.path("sub") ?? "")).toEqual(["tools"]);
});

test.each<[string, object, Readonly<Record<string, string>>, RegExp]>([
  [
    "not installed",
    { devDependencies: { "toycoder-plugin-x": "1" } },
    {},
    /^discover: the package toycoder-plugin-x of \S+\/package\.json is not installed$/,
  ],
  [
    "broken",
    { dependencies: { tools: "1" } },
    { tools: "{" },
    /^discover: \S+\/tools\/package\.json cannot be read: /,
  ],
])("a package that is %s is named", (_, dependencies, packages, message) => {
  expect(() => discoverPlugins(project(dependencies, packages))).toThrow(message);
});

test("no package.json", () => {
  workspace = tempWorkspace();
  expect(() => discoverPlugins(workspace?.root ?? "")).toThrow(/^discover: there is no \S+\/package\.json$/);
});

test("they are loaded like named ones: sorted, errors name the package, a named one counts", async () => {
  const made = (name: string) => ({
    default: definePlugin({ name, version: "1.0.0", api: 1, setup: () => ({ tools: [] }) }),
  });
  const folder = project({});
  const asked: string[] = [];
  const options = {
    builtins: { files: () => Promise.resolve(made("files")) },
    importer: (specifier: string) => {
      asked.push(specifier);
      if (specifier === "broken") throw new Error("no luck");
      return Promise.resolve(made(specifier === "@toycoder/plugin-files" ? "files" : specifier));
    },
    file: pathToFileURL(`${folder}/toycoder.config.ts`).pathname,
  };
  const discovered = ["@toycoder/plugin-files", "my-tools"];
  const plugins = await resolvePlugins(["files"], { ...options, discovered });
  expect(plugins.map(({ name }) => name)).toEqual(["files", "my-tools"]);
  expect(asked).toEqual(discovered);
  const error: unknown = await resolvePlugins([], { ...options, discovered: ["broken"] }).catch(
    (thrown: unknown) => thrown,
  );
  expect(isSetupError(error) && error.message).toBe(
    'discover: the plugin "broken": the package broken cannot be imported: no luck',
  );
});
