import { mkdirSync, readFileSync, symlinkSync } from "node:fs";
import vm from "node:vm";
import { isSetupError } from "@toycoder/core";
import { type TempWorkspace, tempWorkspace } from "@toycoder/testing";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { loadConfig, type LoadConfigOptions } from "./load-config.ts";

/** Node's own import, past the test runner's. */
const importModule = vm.runInThisContext("(url) => import(url)", {
  importModuleDynamically: vm.constants.USE_MAIN_CONTEXT_DEFAULT_LOADER,
}) as (url: string) => Promise<Record<string, unknown>>;

let workspace: TempWorkspace;
beforeEach(() => {
  workspace = tempWorkspace({
    "package.json": '{ "type": "module" }',
    "node_modules/toycoder/package.json": '{ "type": "module", "exports": "./index.js" }',
    "node_modules/toycoder/index.js": "export const defineConfig = (config) => config;",
    "rules.ts": "export const rules = [];",
    "broken.ts": 'import "./gone.ts";',
  });
});
afterEach(() => workspace.dispose());

/** What a person sees of a config: the message, and the way out beneath it. */
async function shown(options: Partial<LoadConfigOptions>): Promise<string> {
  const error: unknown = await loadConfig({ cwd: workspace.root, env: {}, importModule, ...options }).then(
    () => expect.unreachable(),
    (thrown: unknown) => thrown,
  );
  if (!isSetupError(error)) throw error;
  const { message, hint } = error;
  return `${message}${hint === undefined ? "" : `\n  ${hint}`}`.replaceAll(`${workspace.root}/`, "");
}

/** Each case: what it is, the file's name, its content, and the message. */
const CASES = readFileSync(new URL("../fixtures/broken-configs.txt", import.meta.url), "utf8")
  .split(/^=== /m)
  .slice(1)
  .map((text) => /^(.*)\n--- (.*)\n([^]*?)\n--- message\n([^]*?)\n+$/.exec(text)?.slice(1) ?? [text]);

test("the cases are read whole", () => {
  expect(CASES.length).toBeGreaterThan(35);
  for (const one of CASES) expect(one).toHaveLength(4);
});

test.each(CASES)("%s", async (_, file = "", content = "", message) => {
  workspace.write(file, content);
  expect(await shown({ file })).toBe(message);
});

describe("what is no text that a person wrote", () => {
  const EMPTY =
    "the file is empty\n  write a config into it (toycoder init --force does), or take it away: then the defaults hold";

  test.each<[string, string, string, string]>([
    ["an empty file", "toycoder.config.ts", "", EMPTY],
    ["white space", ".toycoderrc", " \n\n", EMPTY],
    ["UTF-16", "toycoder.config.json", "{\0}\0", "the file is not UTF-8 text\n  save it as UTF-8"],
    [
      "10 MB",
      "toycoder.config.json",
      " ".repeat(10 * 1024 * 1024),
      "10.0 MB is no config; it may have 1 MB\n  see that it is the right file: --config FILE names another",
    ],
  ])("%s, found or named", async (_, file, content, message) => {
    workspace.write(file, content);
    for (const options of [{}, { file }]) expect(await shown(options)).toBe(`${file}: ${message}`);
  });

  test("a folder is not passed over, but an empty one, with which a sandbox holds a name free, is", async () => {
    mkdirSync(workspace.path("toycoder.config.ts"));
    expect(await loadConfig({ cwd: workspace.root, env: {} })).toMatchObject({ file: undefined });
    workspace.write("toycoder.config.ts/file", "");
    const message =
      "toycoder.config.ts is a folder, not a config file\n  give the folder another name, or name the file in it: --config FILE";
    for (const options of [{}, { file: "toycoder.config.ts" }]) expect(await shown(options)).toBe(message);
  });

  test("nor is a link to nowhere", async () => {
    symlinkSync("nowhere", workspace.path(".toycoderrc"));
    expect(await shown({})).toBe(
      ".toycoderrc: the file cannot be read\n  see that you may read it, and that it is no link to nowhere",
    );
  });

  test("lists in lists without end", async () => {
    workspace.write("c.json", `{ "plugins": ${"[".repeat(5000)}${"]".repeat(5000)} }`);
    expect(await shown({ file: "c.json" })).toMatch(
      /^c\.json:1:\d+: plugins(\[0\])+: lists are nested too deep; /,
    );
  });
});

test("a Promise of a config is waited for", async () => {
  workspace.write("c.ts", 'export default (async () => ({ model: "a:b" }))();');
  const { config } = await loadConfig({ cwd: workspace.root, file: "c.ts", importModule });
  expect(config.model).toBe("a:b");
});

test("a module that never comes to an end is given up", async () => {
  workspace.write("c.ts", "export default await new Promise(() => {});");
  expect(await shown({ file: "c.ts", moduleMs: 50 })).toBe(
    "c.ts: the module is not done after 0.05 seconds\n  see what it awaits",
  );
});
