import {
  definePlugin,
  defineTool,
  type InputSchema,
  isSetupError,
  type Plugin,
  type SetupError,
} from "@toycoder/core";
import { tempWorkspace } from "@toycoder/testing";
import { describe, expect, test } from "vitest";
import type { PluginEntry } from "./define-config.ts";
import { type PluginImporter, resolvePlugins } from "./resolve-plugins.ts";
import { disposePlugins, setupPlugins } from "./setup-plugins.ts";

const context = { root: "/", secretVariables: [] };
const input = {
  "~standard": {
    version: 1,
    vendor: "test",
    validate: (value: unknown) => ({ value }),
    jsonSchema: { input: () => ({ type: "object" }), output: () => ({}) },
  },
} as unknown as InputSchema<unknown, unknown>;
const tool = (name: string) => defineTool({ name, description: "x", input, execute: () => "" });
const plugin = (name: string, tools = [tool(name)]) =>
  definePlugin({ name, version: "1.0.0", api: 1, setup: () => ({ tools }) });
const withOptions = definePlugin({
  name: "opts",
  version: "1.0.0",
  api: 1,
  options: input,
  setup: (options) => ({ tools: [], instructions: JSON.stringify(options) }),
});

const missing = (name: string): Error =>
  Object.assign(new Error(`Cannot find package '${name}' imported from /x`), {
    code: "ERR_MODULE_NOT_FOUND",
  });

/** Imports from a table: package names, and the last part of files. */
const importer =
  (modules: Readonly<Record<string, Record<string, unknown> | Error>>): PluginImporter =>
  async (specifier) => {
    const name = specifier.startsWith("file:") ? (specifier.split("/").at(-1) ?? "") : specifier;
    const found = modules[name] ?? missing(specifier.replace("file://", ""));
    if (found instanceof Error) throw found;
    return found;
  };

const builtins = {
  files: async () => ({ filesPlugin: plugin("files"), readFile: tool("read_file") }),
  shell: async () => ({ default: plugin("shell") }),
  opts: async () => ({ withOptions }),
};

const resolve = (
  entries: readonly PluginEntry[],
  modules: Parameters<typeof importer>[0] = {},
  folder = "/project",
): Promise<Plugin[]> =>
  resolvePlugins(entries, { builtins, importer: importer(modules), file: `${folder}/toycoder.config.ts` });

const namesOf = async (pending: Promise<Plugin[]>): Promise<string[]> =>
  (await pending).map(({ name }) => name);

async function errorOf(pending: Promise<unknown>): Promise<SetupError> {
  const error: unknown = await pending.then(
    () => expect.unreachable(),
    (thrown: unknown) => thrown,
  );
  if (!isSetupError(error)) throw error;
  return error;
}

describe("what an entry may be", () => {
  test("a built-in name, a factory, a plugin, nested, in order, falsy ones skipped", async () => {
    const entries: PluginEntry[] = [
      "shell",
      [plugin("a"), [plugin("b")(), false]],
      null,
      undefined,
      0,
      "",
      "files",
    ];
    expect(await namesOf(resolve(entries))).toEqual(["shell", "a", "b", "files"]);
  });

  test("a pair with options", async () => {
    for (const entry of [
      ["opts", { x: 1 }],
      [withOptions, { x: 1 }],
    ] as const) {
      const [one] = await resolve([entry]);
      expect((await one?.setup(context))?.instructions).toBe('{"x":1}');
    }
    const error = await errorOf(resolve([[plugin("a")(), { x: 1 }] as unknown as PluginEntry]));
    expect(error.message).toBe(
      "plugins[0]: the plugin: a has been called already, so it takes no options here; give them in its call",
    );
  });

  test("a package: by its whole name, or by its short one", async () => {
    const modules = {
      "toycoder-plugin-a": { default: plugin("a") },
      "@acme/toycoder-plugin-b": { b: plugin("b")() },
      "@toycoder/plugin-web": { default: plugin("web") },
      "toycoder-plugin-short": { default: plugin("short") },
    };
    const entries = ["toycoder-plugin-a", "@acme/toycoder-plugin-b", "web", "short"];
    expect(await namesOf(resolve(entries, modules))).toEqual(["a", "b", "web", "short"]);
  });

  test("a file with a plugin, or with tools", async () => {
    const modules = {
      "one.ts": { default: plugin("one"), helper: tool("unused") },
      "two.ts": { default: tool("x"), named: tool("y"), list: [tool("z")], other: 5 },
    };
    const plugins = await resolve(["./one.ts", "../two.ts"], modules);
    expect(plugins.map(({ name }) => name)).toEqual(["one", "two"]);
    const parts = await plugins[1]?.setup(context);
    expect(parts?.tools.map(({ name }) => name)).toEqual(["x", "y", "z"]);
  });

  test("a glob of files, sorted, without tests and declarations", async () => {
    using folder = tempWorkspace({
      "t/b.ts": "",
      "t/a.ts": "",
      "t/a.test.ts": "",
      "t/c.d.ts": "",
      "t/x.md": "",
    });
    const modules = { "a.ts": { a: tool("a") }, "b.ts": { b: tool("b") } };
    expect(await namesOf(resolve(["./t/*"], modules, folder.root))).toEqual(["a", "b"]);
  });
});

describe("what cannot be resolved names itself", () => {
  const broken = new TypeError("x is not a function");

  test.each<[string, PluginEntry[], Parameters<typeof importer>[0], string, string | undefined]>([
    [
      "a typo",
      ["fils"],
      {},
      'plugins[0]: the plugin "fils": there is no such plugin built in, and no package @toycoder/plugin-fils or toycoder-plugin-fils',
      "did you mean files?",
    ],
    [
      "an unknown word",
      ["qwertz"],
      {},
      'plugins[0]: the plugin "qwertz": there is no such plugin',
      "built in are files, shell, opts; a local file starts with ./, a package is called toycoder-plugin-NAME",
    ],
    [
      "a package that is not installed",
      ["toycoder-plugin-x"],
      {},
      'plugins[0]: the plugin "toycoder-plugin-x": it is not installed',
      "install it: npm install -D toycoder-plugin-x",
    ],
    [
      "a package that lacks another",
      ["toycoder-plugin-x"],
      { "toycoder-plugin-x": missing("left-pad") },
      "cannot be imported: Cannot find package 'left-pad'",
      undefined,
    ],
    [
      "a file that is not there",
      ["files", ["./none.ts"]],
      {},
      'plugins[1][0]: the plugin "./none.ts": there is no file /project/none.ts',
      undefined,
    ],
    [
      "a file that throws",
      ["./x.ts"],
      { "x.ts": broken },
      "/project/x.ts cannot be imported: x is not a function",
      undefined,
    ],
    [
      "a file without any",
      ["./x.ts"],
      { "x.ts": { a: 1 } },
      "/project/x.ts: it exports a, but no plugin (definePlugin) and no tools (defineTool)",
      undefined,
    ],
    [
      "two without a default",
      ["./x.ts"],
      { "x.ts": { a: plugin("a"), b: plugin("b") } },
      "it exports 2 plugins (a, b) and none of them as default",
      undefined,
    ],
    [
      "a glob without a match",
      ["./none/*.ts"],
      {},
      'plugins[0]: the plugin "./none/*.ts": it matches no module in /project',
      "a glob takes .ts, .js, .mjs and the like, and leaves out *.test.* and *.d.ts",
    ],
    [
      "twice the same",
      ["files", plugin("files")],
      {},
      "plugins: the plugin files is there twice",
      'leave one out; its options go into a pair: ["files", { … }]',
    ],
    [
      "a newer API",
      [
        Object.assign(() => expect.unreachable(), {
          [Symbol.for("@toycoder/plugin")]: true,
          pluginName: "x",
          api: 2,
        }) as unknown as PluginEntry,
      ],
      {},
      "the plugin x is made for plugin API 2; this version has 1",
      "update toycoder",
    ],
  ])("%s", async (_, entries, modules, message, hint) => {
    const error = await errorOf(resolve(entries, modules));
    expect(error).toMatchObject({ code: "plugin_failed", message: expect.stringContaining(message), hint });
  });

  test("all of them at once", async () => {
    const { message } = await errorOf(resolve(["fils", "files", "toycoder-plugin-x"]));
    expect(message).toMatch(/^plugins\[0\]: .*\(did you mean files\?\)\nplugins\[2\]: .*$/);
  });
});

describe("setting up", () => {
  const logging = (name: string, log: string[], fails?: unknown): Plugin =>
    definePlugin({
      name,
      version: "1.0.0",
      api: 1,
      setup: () => {
        if (fails !== undefined) throw fails;
        return { tools: [], dispose: () => void log.push(name) };
      },
    })();

  test("gives each plugin's parts, and disposes of them last first", async () => {
    const log: string[] = [];
    const done = await setupPlugins([logging("a", log), logging("b", log)], context);
    expect(done.map(({ plugin: { name } }) => name)).toEqual(["a", "b"]);
    await disposePlugins(done);
    expect(log).toEqual(["b", "a"]);
  });

  test("one that fails names itself, and those before it are disposed of", async () => {
    const log: string[] = [];
    const plugins = [
      logging("a", log),
      logging("b", log),
      logging("c", log, new Error("no network")),
      logging("d", log),
    ];
    expect(await errorOf(setupPlugins(plugins, context))).toMatchObject({
      code: "plugin_failed",
      message: "plugin c: no network",
    });
    expect(log).toEqual(["b", "a"]);
  });

  test("wrong options keep their own code", async () => {
    const [one] = await resolve([["files", { colour: "red" }]]);
    expect(await errorOf(setupPlugins(one === undefined ? [] : [one], context))).toMatchObject({
      code: "plugin_options",
      message: "plugin files: colour: it takes no options",
    });
  });

  test.each([[undefined], [{}], [{ tools: [{ name: "x" }] }]])("parts that are none: %j", async (parts) => {
    const wrong = definePlugin({ name: "w", version: "1.0.0", api: 1, setup: () => parts as never })();
    expect(await errorOf(setupPlugins([wrong], context))).toMatchObject({
      code: "plugin_failed",
      message: expect.stringMatching(/^plugin w: its /),
    });
  });
});
