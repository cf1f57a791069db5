import { mkdirSync, symlinkSync } from "node:fs";
import path from "node:path";
import vm from "node:vm";
import { isSetupError, type SetupError } from "@toycoder/core";
import { type TempWorkspace, tempWorkspace } from "@toycoder/testing";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { checkConfig, loadConfig, type LoadedConfig } from "./load-config.ts";

/** Node's own import, past the test runner's. */
const importModule = vm.runInThisContext("(url) => import(url)", {
  importModuleDynamically: vm.constants.USE_MAIN_CONTEXT_DEFAULT_LOADER,
}) as (url: string) => Promise<Record<string, unknown>>;

let workspace: TempWorkspace;
beforeEach(() => void (workspace = tempWorkspace({ "package.json": '{ "type": "module" }' })));
afterEach(() => workspace.dispose());

const load = (
  options: { cwd?: string; file?: string; env?: NodeJS.ProcessEnv } = {},
): Promise<LoadedConfig> => loadConfig({ cwd: workspace.root, env: {}, importModule, ...options });

/** The error of a config, its folder taken out. */
async function errorOf(pending: Promise<unknown>): Promise<SetupError> {
  const error: unknown = await pending.then(
    () => expect.unreachable(),
    (thrown: unknown) => thrown,
  );
  if (!isSetupError(error)) throw error;
  return error;
}

const messageIn = (error: SetupError): string => error.message.replaceAll(`${workspace.root}/`, "");

/** The message for a config file of this content. */
async function problemOf(file: string, content: string): Promise<string> {
  workspace.write(file, content);
  const error = await errorOf(load({ file }));
  expect(error.code).toBe("config_invalid");
  return messageIn(error);
}

describe("where a config is found", () => {
  test("nowhere: the defaults hold", async () => {
    expect(await load()).toEqual({
      file: undefined,
      folder: workspace.root,
      secretVariables: [],
      sources: new Map(),
      config: {
        model: undefined,
        plugins: ["files", "search", "shell", "question"],
        discover: false,
        tools: { enable: [], disable: [], versions: {}, alias: {}, maxVisible: 20 },
        permissions: { levels: {}, allow: [], ask: [], deny: [], protect: [], onAsk: "deny", tests: [] },
        mcpServers: {},
        workspace: { roots: [] },
        limits: { turns: undefined },
        sessions: {},
        credentials: {},
        hooks: {},
        instructions: "",
      },
    });
  });

  test.each<[string, string]>([
    ["toycoder.config.ts", 'const model: string = "replay:x"; export default { model };'],
    ["toycoder.config.js", 'export default { model: "replay:x" };'],
    ["toycoder.config.mjs", 'export default { model: "replay:x" };'],
    ["toycoder.config.json", '\ufeff{ "model": "replay:x" }'],
    [".toycoderrc", "model: replay:x"],
    [".toycoderrc.json", '{ "model": "replay:x" }'],
    [".toycoderrc.yaml", "model: replay:x"],
  ])("%s, from a folder beneath it", async (file, content) => {
    workspace.write(file, content);
    mkdirSync(workspace.path("a/b"), { recursive: true });
    const loaded = await load({ cwd: workspace.path("a/b") });
    expect(loaded).toMatchObject({
      file: workspace.path(file),
      folder: workspace.root,
      config: { model: "replay:x" },
    });
  });

  test("the nearest one, past a package.json", async () => {
    workspace.write("toycoder.config.json", '{ "model": "outer:x" }');
    workspace.write("a/package.json", "{}");
    workspace.write("a/.toycoderrc", "model: inner:x");
    workspace.write("b/package.json", "{}");
    expect((await load({ cwd: workspace.path("a") })).config.model).toBe("inner:x");
    expect((await load({ cwd: workspace.path("b") })).config.model).toBe("outer:x");
  });

  test("named: then nothing is searched, and relative paths start at it", async () => {
    workspace.write("toycoder.config.json", "{ broken");
    workspace.write("ci/other.json", '{ "model": "ci:x" }');
    const loaded = await load({ file: "ci/other.json" });
    expect(loaded).toMatchObject({ folder: workspace.path("ci"), config: { model: "ci:x" } });
  });

  test("a named one that is not there, or is no config", async () => {
    mkdirSync(workspace.path("folder"));
    workspace.write("x.toml", "");
    expect(await errorOf(load({ file: "none.ts" }))).toMatchObject({
      code: "config_not_found",
      message: `there is no config file ${workspace.path("none.ts")}`,
      hint: expect.stringContaining("toycoder.config.ts"),
    });
    expect(await errorOf(load({ file: "folder" }))).toMatchObject({ code: "config_not_found" });
    expect((await errorOf(load({ file: "x.toml" }))).message).toMatch(/a config file ends in \.ts, /);
  });

  test("one that cannot be read is never passed over", async () => {
    symlinkSync("nowhere", workspace.path("toycoder.config.json"));
    expect((await errorOf(load())).message).toMatch(/toycoder.config.json: the file cannot be read/);
  });

  test("nor one whose code fails for want of a file", async () => {
    workspace.write(
      "toycoder.config.mjs",
      'import fs from "node:fs";\nfs.readFileSync("/none");\nexport default {};',
    );
    expect(messageIn(await errorOf(load()))).toMatch(/^toycoder.config.mjs:2:4: ENOENT/);
  });

  test("settings of cosmiconfig itself have no say", async () => {
    workspace.write("package.json", '{ "type": "module", "cosmiconfig": { "searchPlaces": ["evil.json"] } }');
    workspace.write("evil.json", '{ "model": "evil:x" }');
    workspace.write("toycoder.config.json", '{ "$import": "./evil.json" }');
    expect(messageIn(await errorOf(load()))).toContain("toycoder.config.json:1:3: $import: unknown key");
  });
});

describe("a config that cannot be read says file, line and place", () => {
  test.each<[string, string, string, string]>([
    [
      "typescript",
      "c.ts",
      "export default {\n  model: 1\n  plugins: []\n};",
      "c.ts:3: Expected ',', got 'ident'\n  model: 1\n  plugins: []\n  ^^^^^^^",
    ],
    [
      "javascript",
      "c.mjs",
      "export default {\n  model: 1\n  plugins: []\n};",
      "c.mjs:3: Unexpected identifier 'plugins'\n  plugins: []\n  ^^^^^^^",
    ],
    [
      "json",
      "c.json",
      '{\n  "model": "x"\n  "plugins": []\n}',
      'c.json:3:3: not valid JSON: Expected \',\' or \'}\' after property value\n  "model": "x"\n  "plugins": []\n  ^',
    ],
    ["a json word", "c.json", '{ "model": tru }', "c.json:1:15: not valid JSON: Unexpected token ' '"],
    ["json that breaks off", "c.json", '{ "model": "x"', "c.json:1:15: not valid JSON: Expected ',' or '}'"],
    [
      "yaml",
      "c.yaml",
      "model: [a\nplugins: b",
      "c.yaml:2:1: not valid YAML: deficient indentation\nmodel: [a\nplugins: b\n^",
    ],
    [
      "code that throws",
      "c.mjs",
      "const x = undefined;\nexport default { model: x.y };",
      "c.mjs:2:27: Cannot read properties of undefined (reading 'y')\nconst x = undefined;\nexport default { model: x.y };\n                          ^",
    ],
    ["an empty file", "c.ts", "\n", "c.ts: the file is empty"],
    [
      "no default export",
      "c.mjs",
      "export const config = {};",
      "c.mjs: the module exports config and no default",
    ],
    ["a function", "c.mjs", "export default () => ({});", "c.mjs: expected a config, got a function"],
    ["a list", "c.yaml", "- a", "c.yaml: expected a config, got a list"],
    [
      "a package that is missing",
      "c.ts",
      'import x from "none-such";\nexport default x;',
      'c.ts:1:15: the package none-such is not installed\nimport x from "none-such";\n              ^',
    ],
    [
      "an export that is missing",
      "c.mjs",
      'import { zebra } from "node:fs";\nexport default zebra;',
      "c.mjs:1: The requested module 'node:fs' does not provide an export named 'zebra'",
    ],
  ])("%s", async (_, file, content, message) => {
    expect((await problemOf(file, content)).slice(0, message.length)).toBe(message);
  });

  test("an enum and a decorator are explained", async () => {
    workspace.write("enum.ts", "enum A { x }\nexport default { model: A.x };");
    workspace.write(
      "decorator.ts",
      "const d = (x: unknown) => x;\n@d\nclass A {}\nexport default { model: A };",
    );
    const first = await errorOf(load({ file: "enum.ts" }));
    expect(messageIn(first)).toMatch(/^enum.ts:1: TypeScript enum is not supported/);
    expect(first.hint).toMatch(/Node only strips types/);
    const second = await errorOf(load({ file: "decorator.ts" }));
    expect(messageIn(second)).toMatch(/^decorator.ts:2: /);
    expect(second.hint).toMatch(/decorators/);
  });
});

describe("what a config may hold", () => {
  test("every key that is honoured", () => {
    const config = {
      model: {
        provider: "openai",
        model: "m",
        baseURL: "http://x",
        reasoningEffort: "low",
        maxOutputTokens: 1,
        temperature: 0,
        headers: { a: "b" },
      },
      plugins: [
        "files",
        ["shell", { timeoutSeconds: 60 }],
        false,
        null,
        undefined,
        "",
        0,
        ["question", ["./x.ts"]],
      ],
      tools: { enable: ["run_command"], disable: ["ask_user"] },
      permissions: {
        levels: { safe: "allow", sensitive: "ask", dangerous: "disabled" },
        allow: ["run_command(git status *)"],
        ask: ["write:**"],
        deny: ["read:.env*", "level:dangerous"],
        protect: ["secrets/", "*.lock"],
        onAsk: "stop",
        tests: [["run_command", { command: "x" }, "deny"]],
      },
      workspace: { roots: ["../other"] },
      limits: { turns: 5 },
      credentials: { a: "A_TOKEN", b: { env: "B" }, c: "${C}" },
      hooks: { beforeToolCall: () => undefined, afterToolCall: () => undefined },
      instructions: "be kind",
    };
    expect(checkConfig(config, "c")).toBe(config);
  });

  test.each<[unknown, string]>([
    [{ permisions: {} }, "permisions: unknown key; did you mean permissions?"],
    [{ permissions: { alow: [] } }, "permissions.alow: unknown key; did you mean allow?"],
    [
      { model: { provider: "a", model: "b", baseUrl: "c" } },
      "model.baseUrl: unknown key; did you mean baseURL?",
    ],
    [{ deny: [] }, "deny: unknown key; did you mean permissions.deny?"],
    [{ turns: 5 }, "turns: unknown key; did you mean limits.turns?"],
    [
      { xyzzy: 5 },
      "xyzzy: unknown key; known are model, plugins, discover, tools, permissions, mcpServers, workspace, limits, sessions, credentials, hooks, instructions, outputSchema, profiles",
    ],
    [JSON.parse('{ "__proto__": 1 }'), "__proto__: unknown key; known are"],
    [{ constructor: 1 }, "constructor: unknown key"],
    [{ tools: { "a b": 1 } }, 'tools["a b"]: unknown key'],
    [{ model: 5 }, "model: expected a string or an object, got 5"],
    [{ model: "" }, "model: expected a model as provider:name, got an empty text"],
    [{ model: { provider: "x" } }, "model.model: is missing"],
    [{ limits: { turns: 0 } }, "limits.turns: expected a whole number of at least 1, got 0"],
    [{ limits: { turns: "50" } }, 'limits.turns: expected a whole number of at least 1, got "50"'],
    [{ limits: { turns: NaN } }, "limits.turns: expected a whole number of at least 1, got NaN"],
    [{ limits: [] }, "limits: expected an object, got a list"],
    [{ limits: null }, "limits: expected an object, got null"],
    [{ permissions: { allow: "x" } }, 'permissions.allow: expected a list, got "x"'],
    [{ permissions: { allow: ["a", 1] } }, "permissions.allow[1]: expected a string, got 1"],
    [
      { permissions: { deny: ["exec:"] } },
      'permissions.deny[0]: rule "exec:", column 6: what may be exec? A pattern is missing',
    ],
    [
      { permissions: { ask: ["write_file(src"] } },
      'permissions.ask[0]: rule "write_file(src", column 15: the ( is not closed',
    ],
    [{ permissions: { protect: ["a["] } }, "permissions.protect[0]: "],
    [
      { permissions: { onAsk: "never" } },
      'permissions.onAsk: expected one of deny, allow, stop, got "never"',
    ],
    [
      { permissions: { levels: { save: "ask" } } },
      "permissions.levels.save: unknown key; did you mean safe?",
    ],
    [
      { permissions: { tests: [["a", {}]] } },
      "permissions.tests[0]: expected [tool, arguments, decision], got a list",
    ],
    [
      { permissions: { tests: [["a", {}, "no"]] } },
      "permissions.tests[0][2]: expected one of allow, ask, deny, disabled",
    ],
    [{ plugins: "files" }, 'plugins: expected a list, got "files"'],
    [
      { plugins: [["shell", 5]] },
      "plugins[0][1]: expected a plugin: its name, its path, or what definePlugin gives; got 5",
    ],
    [{ plugins: [{}] }, "plugins[0]: expected a plugin"],
    [{ hooks: { before: () => {} } }, "hooks.before: unknown key; did you mean beforeToolCall?"],
    [{ hooks: { beforeToolCall: 1 } }, "hooks.beforeToolCall: expected a function, got 1"],
    [{ workspace: { roots: [""] } }, "workspace.roots[0]: expected a folder, got an empty text"],
    [{ credentials: { a: { env: "A", name: "B" } } }, "credentials.a.name: unknown key"],
    [{ tools: { maxVisible: 0 } }, "tools.maxVisible: expected a whole number of at least 1, got 0"],
    [{ tools: { versions: { a: "" } } }, "tools.versions.a: expected a semver range, got an empty text"],
    [{ tools: { alias: { a: "b c" } } }, "tools.alias.a: expected a name of letters, digits, _ and -"],
  ])("%j: %s", (config, message) => {
    const start = (): unknown => checkConfig(config, "c");
    expect(start).toThrow(`c: ${message}`);
  });

  test("a credential's value that stands in for its variable is not repeated", () => {
    const check = (): unknown => checkConfig({ credentials: { a: "sk-live-12345" } }, "c");
    expect(check).toThrow(/credentials\.a: expected the name of an environment variable/);
    expect(check).not.toThrow(/12345/);
  });

  test("all problems are shown at once", () => {
    const check = (): unknown =>
      checkConfig({ modle: "x", limits: { turns: 0 }, plugins: [1, 2] }, "/p/c.json");
    expect(check).toThrow(
      /^\/p\/c\.json:\n {2}modle: .*\n {2}limits\.turns: .*\n {2}plugins\[0\]: .*\n {2}plugins\[1\]: .*$/,
    );
  });
});

describe("environment variables", () => {
  const model = (header: string): string =>
    JSON.stringify({ model: { provider: "a", model: "b", headers: { "x-key": header } } });

  test("are put in, and count as secret", async () => {
    workspace.write("c.json", model("Bearer ${MY_KEY}-$${plain}"));
    const { config, secretVariables } = await load({ file: "c.json", env: { MY_KEY: "k" } });
    expect(config.model).toMatchObject({ headers: { "x-key": "Bearer k-${plain}" } });
    expect(secretVariables).toEqual(["MY_KEY"]);
  });

  test.each([
    ["${NOT_SET}", "model.headers.x-key: the environment variable NOT_SET is not set"],
    ["${}", "model.headers.x-key: ${} names no environment variable"],
    ["${A:-b}", "model.headers.x-key: ${A:-b} names no environment variable"],
    ["${OPEN", "model.headers.x-key: ${OPEN names no environment variable"],
  ])("%s is an error", async (header, message) => {
    expect(await problemOf("c.json", model(header))).toContain(message);
  });

  test("of credentials are named, not read", async () => {
    workspace.write(
      "c.json",
      '{ "credentials": { "docs": "DOCS_TOKEN", "db": { "env": "DB" }, "x": "${X}" } }',
    );
    const { config, secretVariables } = await load({ file: "c.json" });
    expect(config.credentials).toEqual({ docs: "DOCS_TOKEN", db: "DB", x: "X" });
    expect(secretVariables).toEqual(["DOCS_TOKEN", "DB", "X"]);
  });
});

test("a relative cwd and file are fine", async () => {
  workspace.write("c.json", "{}");
  const relative = path.relative(process.cwd(), workspace.root);
  expect((await loadConfig({ cwd: relative, file: "c.json" })).file).toBe(workspace.path("c.json"));
});
