import { fileURLToPath } from "node:url";
import { chmodSync, symlinkSync } from "node:fs";
import { tempWorkspace, type TempWorkspace } from "@toycoder/testing";
import { describe, expect, it } from "vitest";
import { type Finished, runToycoder } from "../test-support/run-toycoder.ts";

const SOURCE = `import { definePlugin } from "toycoder";
export default definePlugin({ name: "acme", version: "1.2.0", api: 1, setup: () => ({ tools: [], instructions: "Be brief." }) });
`;
const MANIFEST = JSON.stringify({
  name: "toycoder-plugin-acme",
  version: "1.2.0",
  type: "module",
  exports: "./index.js",
});

/** A project that has the plugin installed already. */
const project = (files: Readonly<Record<string, string>>): TempWorkspace => {
  const folder = tempWorkspace({
    "package.json": "{}",
    "node_modules/toycoder-plugin-acme/package.json": MANIFEST,
    "node_modules/toycoder-plugin-acme/index.js": SOURCE,
    ...files,
  });
  symlinkSync(fileURLToPath(new URL("../../", import.meta.url)), folder.path("node_modules/toycoder"));
  return folder;
};
const add = (folder: TempWorkspace, ...args: string[]): Promise<Finished> =>
  runToycoder(["plugin", "add", ...args], { cwd: folder.root, input: "" });

describe("toycoder plugin add", () => {
  it.each([
    [
      "toycoder.config.ts",
      'import { defineConfig } from "toycoder";\n\nexport default defineConfig({\n  plugins: ["files"], // few\n});\n',
      'import { defineConfig } from "toycoder";\n\nexport default defineConfig({\n  plugins: ["files", "toycoder-plugin-acme"], // few\n});\n',
    ],
    [
      "toycoder.config.json",
      '{ "plugins": ["files"] }\n',
      '{ "plugins": ["files", "toycoder-plugin-acme"] }\n',
    ],
    [
      ".toycoderrc.yaml",
      "plugins:\n  - files # few\n",
      "plugins:\n  - files # few\n  - toycoder-plugin-acme\n",
    ],
    [
      ".toycoderrc",
      "# A config.\n",
      "# A config.\nplugins: [files, search, shell, question, toycoder-plugin-acme]\n",
    ],
  ])("puts it into %s, and leaves the rest as it was", async (file, before, after) => {
    using folder = project({ [file]: before });
    const { code, stdout, stderr } = await add(folder, "acme", "--no-install");
    expect([code, stderr]).toEqual([0, ""]);
    expect(stdout).toBe(`acme 1.2.0 is in ${folder.path(file)}\nNext: toycoder plugin list\n`);
    expect(folder.read(file)).toBe(after);
    // A second time nothing happens.
    const again = await add(folder, "toycoder-plugin-acme", "--no-install");
    expect(again.stdout).toBe(`acme 1.2.0 was in ${folder.path(file)} already\n`);
    expect(folder.read(file)).toBe(after);
    const list = await runToycoder(["plugin", "list"], { cwd: folder.root, input: "" });
    expect(list.stdout).toContain("acme 1.2.0  toycoder-plugin-acme (plugins[");
  });

  it("prints the lines where it can't edit, and where the config would not load", async () => {
    const computed = 'const list = ["files"];\nexport default { plugins: list };\n';
    using folder = project({ "toycoder.config.mjs": computed });
    const { code, stdout } = await add(folder, "acme", "--no-install");
    expect(code).toBe(0);
    expect(stdout).toContain(
      'could not be edited. Put this into it, beside the plugins that are there:\n\n  plugins: ["files", "search", "shell", "question", "toycoder-plugin-acme"],\n',
    );
    expect(folder.read("toycoder.config.mjs")).toBe(computed);
    const broken = 'export default { plugins: ["files"], no_such_key: 1 };\n';
    using other = project({ "toycoder.config.mjs": broken });
    const refused = await add(other, "acme", "--no-install", "--json");
    expect(refused.stderr).toMatch(/stays as it was: .*no_such_key/s);
    expect(JSON.parse(refused.stdout)).toMatchObject({
      edited: false,
      present: false,
      lines: [expect.stringContaining("acme")],
    });
    expect(other.read("toycoder.config.mjs")).toBe(broken);
    using none = project({});
    expect((await add(none, "acme", "--no-install")).stdout).toMatch(
      /There is no config yet; toycoder init writes one/,
    );
  });

  it("takes options, and checks them where the plugin is set up", async () => {
    using folder = project({ "toycoder.config.mjs": "export default {\n  plugins: [],\n};\n" });
    const { stdout } = await add(folder, "shell", "--options", '{"timeoutSeconds":90}', "--json");
    expect(JSON.parse(stdout)).toMatchObject({
      installed: false,
      edited: true,
      entry: ["shell", { timeoutSeconds: 90 }],
    });
    expect(folder.read("toycoder.config.mjs")).toBe(
      'export default {\n  plugins: [["shell", { timeoutSeconds: 90 }]],\n};\n',
    );
  });

  it("leaves the config alone where the plugin can't be loaded", async () => {
    using folder = project({ "toycoder.config.mjs": "export default { plugins: [] };\n" });
    const { code, stderr } = await add(folder, "missing", "--no-install");
    expect(code).toBe(3);
    expect(stderr).toMatch(/toycoder-plugin-missing.*not installed/);
    expect(folder.read("toycoder.config.mjs")).toBe("export default { plugins: [] };\n");
  });

  it.each([
    [[], /takes the name of one plugin/],
    [["a", "b"], /takes the name of one plugin/],
    [["a b"], /"a b" is no package's name/],
    [["x;rm -rf"], /is no package's name/],
    [["acme", "--config", "none.ts"], /there is no file/],
  ])("is wrong use: %j", async (args, message) => {
    using folder = project({});
    const { code, stderr } = await add(folder, ...args, "--no-install");
    expect(code).toBe(2);
    expect(stderr).toMatch(message);
  });

  it("takes a file, by its path from the config", async () => {
    using folder = project({ ".toycoderrc.yaml": "plugins: [files]\n", "tools/acme.js": SOURCE });
    const { code } = await runToycoder(["plugin", "add", "./acme.js"], {
      cwd: folder.path("tools"),
      input: "",
    });
    expect(code).toBe(0);
    expect(folder.read(".toycoderrc.yaml")).toBe('plugins: [files, "./tools/acme.js"]\n');
  });

  it.each([
    ["pnpm-lock.yaml", "pnpm", "add --save-dev toycoder-plugin-acme@^1.2.0"],
    ["yarn.lock", "yarn", "add --dev toycoder-plugin-acme@^1.2.0"],
    ["package-lock.json", "npm", "install --save-dev toycoder-plugin-acme@^1.2.0"],
  ])("installs with what %s is of, and tells what that says on stderr", async (lockfile, manager, args) => {
    const PATH = `bin:${process.env["PATH"]}`;
    const script = '#!/bin/sh\necho "it is $*"\nexit ${FAILS:-0}\n';
    using folder = project({
      [lockfile]: "",
      [`bin/${manager}`]: script,
      ".toycoderrc.yaml": "plugins: [files]\n",
    });
    chmodSync(folder.path(`bin/${manager}`), 0o755);
    const env = { PATH: PATH.replace(/^bin/, folder.path("bin")) };
    const failed = await runToycoder(["plugin", "add", "acme@^1.2.0"], {
      cwd: folder.root,
      input: "",
      env: { ...env, FAILS: "7" },
    });
    expect(failed.code).toBe(3);
    expect(failed.stderr).toContain(`${manager} ${args} failed with exit code 7`);
    expect(folder.read(".toycoderrc.yaml")).toBe("plugins: [files]\n");
    const { code, stderr, stdout } = await runToycoder(["plugin", "add", "acme@^1.2.0", "--json"], {
      cwd: folder.root,
      input: "",
      env,
    });
    expect([code, stderr]).toEqual([0, `${manager} ${args}\nit is ${args}\n`]);
    expect(JSON.parse(stdout)).toMatchObject({
      installed: true,
      edited: true,
      entry: "toycoder-plugin-acme",
    });
  });

  it("needs a package.json to install into", async () => {
    using folder = tempWorkspace();
    const { code, stderr } = await add(folder, "acme");
    expect(code).toBe(2);
    expect(stderr).toMatch(/no package\.json.*npm init -y/s);
  });
});
