import { cpSync, mkdirSync, symlinkSync } from "node:fs";
import path from "node:path";
import { fileURLToPath } from "node:url";
import { tempWorkspace, type TempWorkspace } from "@toycoder/testing";
import { describe, expect, it } from "vitest";
import { cassette, SAFE_TOOLS } from "../test-support/cassette.ts";
import { type Finished, runToycoder } from "../test-support/run-toycoder.ts";

const CORE = fileURLToPath(new URL("../../../../packages/core", import.meta.url));

/** Installs a plugin package, with its own copy of core beside it. */
function install(folder: TempWorkspace, name: string, source: string, manifest: object = {}): void {
  const home = `node_modules/${name}`;
  folder.write(
    `${home}/package.json`,
    JSON.stringify({ name, version: "1.2.0", type: "module", exports: "./index.js", ...manifest }),
  );
  folder.write(`${home}/index.js`, source);
  const copy = folder.path(`${home}/node_modules/@toycoder/core`);
  mkdirSync(copy, { recursive: true });
  for (const part of ["package.json", "dist"])
    cpSync(path.join(CORE, part), path.join(copy, part), { recursive: true });
  symlinkSync(path.join(CORE, "node_modules"), path.join(copy, "node_modules"));
  symlinkSync(path.join(CORE, "node_modules/zod"), folder.path(`${home}/node_modules/zod`));
}

const plugin = (name: string, tools: string, more = ""): string => `
import { definePlugin, defineTool, fail, ToolError } from "@toycoder/core";
import { z } from "zod";
const tool = (name, execute) => defineTool({
  name,
  description: "Look up a colour in the catalogue; returns its number.",
  input: z.object({ colour: z.string().describe("Its name") }),
  execute,
});
export default definePlugin({
  name: ${JSON.stringify(name)},
  version: "1.2.0",
  api: 1,
  options: z.strictObject({ server: z.object({ port: z.number() }).optional() }),
  setup: () => ({ tools: [${tools}] ${more} }),
});
`;

const config = (folder: TempWorkspace, value: object): void =>
  void folder.write("toycoder.config.json", JSON.stringify(value));
const toycoder = (folder: TempWorkspace, ...args: string[]): Promise<Finished> =>
  runToycoder(args, { cwd: folder.root, input: "" });

describe("two copies of @toycoder/core", () => {
  it("work together: tools, failures, results, options", async () => {
    using folder = tempWorkspace();
    const tools = `
      tool("colour_number", ({ colour }) => "7: " + colour),
      tool("colour_thrown", () => { throw new ToolError("no_colour", "there is none", { hint: "ask for red" }); }),
      tool("colour_failed", () => fail("faded", "it has faded"))`;
    install(
      folder,
      "toycoder-plugin-colours",
      plugin("colours", tools, ', instructions: "Colours are words."'),
    );
    config(folder, { plugins: ["files", "search", "question", "colours"], model: "replay:c.jsonl" });
    const names = ["colour_failed", "colour_number", "colour_thrown"];
    const calls = names.map((name) => ({ name, arguments: { colour: "red" } }));
    folder.write(
      "c.jsonl",
      await cassette([{ calls }, { text: "Done." }], [...SAFE_TOOLS, ...names].toSorted()),
    );
    const { code, stdout, stderr } = await toycoder(folder, "run", "Go.", "--output", "stream-json");
    expect([code, stderr]).toEqual([0, ""]);
    const results = stdout.split("\n").filter((line) => line.includes('"type":"tool_result"')).join("\n"); // prettier-ignore
    expect(results).toContain("7: red");
    expect(results).toMatch(/no_colour.*ask for red/);
    expect(results).toMatch(/faded/);
    // A model's text for a number, in the words of the plugin's own copy.
    const wrong = await toycoder(folder, "tools", "call", "colour_number", '{"color":"red"}');
    expect(wrong.code).toBe(9);
    expect(wrong.stderr).toMatch(/colour/);
  });

  it("a wrong option is told by its path, with the other copy's error", async () => {
    using folder = tempWorkspace();
    install(folder, "toycoder-plugin-colours", plugin("colours", ""));
    config(folder, { plugins: [["colours", { server: { port: "x" } }]] });
    const { code, stderr } = await toycoder(folder, "check");
    expect(code).toBe(3);
    expect(stderr).toMatch(/^toycoder: plugin colours: server\.port: /);
  });
});

describe("a plugin for another ToyCoder", () => {
  it.each([
    ["^99.0.0", /update toycoder/],
    ["<0.0.0-0", /update the plugin/],
  ])("with the peer range %s is refused before it is loaded", async (range, hint) => {
    using folder = tempWorkspace();
    install(folder, "toycoder-plugin-colours", "throw new Error('it was loaded');", {
      peerDependencies: { "@toycoder/core": range },
    });
    config(folder, { plugins: ["colours"] });
    const { code, stdout, stderr } = await toycoder(folder, "check");
    expect([code, stdout]).toEqual([3, ""]);
    expect(stderr).toContain(
      `plugins[0]: the plugin "colours": toycoder-plugin-colours 1.2.0 is made for @toycoder/core ${range}; this toycoder has `,
    );
    expect(stderr).toMatch(hint);
  });

  it("with a peer range that takes it is loaded", async () => {
    using folder = tempWorkspace();
    install(folder, "toycoder-plugin-colours", plugin("colours", ""), {
      peerDependencies: { "@toycoder/core": "0.x || >=1" },
    });
    config(folder, { plugins: ["colours"] });
    expect((await toycoder(folder, "plugin", "list")).code).toBe(0);
  });

  it("of another API is refused, with what to update", async () => {
    using folder = tempWorkspace();
    install(folder, "toycoder-plugin-colours", plugin("colours", "").replace("api: 1", "api: 2"));
    config(folder, { plugins: ["colours"] });
    const { code, stderr } = await toycoder(folder, "check");
    expect(code).toBe(3);
    expect(stderr).toMatch(
      /the plugin colours is made for plugin API 2; this version has 1\n {2}update toycoder/,
    );
  });
});

describe("two plugins with a tool of one name", () => {
  const both = (): TempWorkspace => {
    const folder = tempWorkspace();
    install(folder, "toycoder-plugin-colours", plugin("colours", 'tool("number_of", () => "from colours")'));
    install(
      folder,
      "toycoder-plugin-old-paints",
      plugin("old-paints", 'tool("number_of", () => "from paints")'),
    );
    return folder;
  };
  const plugins = ["colours", "old-paints"];

  it("are refused; the message names both, and how to tell them apart", async () => {
    using folder = both();
    config(folder, { plugins });
    const { code, stderr } = await toycoder(folder, "check");
    expect(code).toBe(3);
    expect(stderr).toBe(`toycoder: the plugins colours and old-paints both bring a tool number_of
  give one of them another name in the config: tools: { alias: { "old-paints/number_of": "old_paints_number_of" } }; or leave one of the plugins out
`);
  });

  it("work side by side with that alias, which is the tool's name from then on", async () => {
    using folder = both();
    const alias = { "old-paints/number_of": "old_paints_number_of" };
    config(folder, {
      plugins,
      tools: { alias },
      permissions: { deny: ["old_paints_number_of"] },
      model: "replay:c.jsonl",
    });
    const ours = await toycoder(folder, "tools", "call", "number_of", '{"colour":"red"}');
    expect([ours.code, ours.stdout]).toEqual([0, "from colours\n"]);
    const other = await toycoder(folder, "tools", "call", "old_paints_number_of", '{"colour":"red"}');
    expect(other.code).toBe(6);
    config(folder, { plugins, tools: { alias }, model: "replay:c.jsonl" });
    folder.write("c.jsonl", await cassette([{ calls: [{ name: "old_paints_number_of", arguments: { colour: "red" } }] }, { text: "Done." }], ["number_of", "old_paints_number_of"])); // prettier-ignore
    const { code, stdout } = await toycoder(folder, "run", "Go.", "--output", "stream-json");
    expect(code).toBe(0);
    expect(stdout).toContain("from paints");
  });

  it("an alias of nothing is an error that lists what there is", async () => {
    using folder = both();
    config(folder, { plugins: ["colours"], tools: { alias: { "colors/number_of": "x" } } });
    const { code, stderr } = await toycoder(folder, "check");
    expect(code).toBe(3);
    expect(stderr).toMatch(/no tool colors\/number_of\n.*colours\/number_of/);
  });
});

describe("a provider of a plugin", () => {
  const PROVIDER = `, providers: { acme: (model, settings) => ({
    id: "acme:" + model,
    async *stream() {
      yield { type: "text", text: "I am " + model + (settings.temperature ?? "") + "." };
      yield { type: "usage", usage: { inputTokens: 1, outputTokens: 1, cacheReadTokens: 0, cacheWriteTokens: 0, reasoningTokens: 0 } };
      yield { type: "finish", reason: "stop" };
    },
  }) }`;

  it("can be named as the model, as a text or with settings", async () => {
    using folder = tempWorkspace();
    install(folder, "toycoder-plugin-acme", plugin("acme", "", PROVIDER));
    config(folder, { plugins: ["acme"], model: "acme:large" });
    const run = await toycoder(folder, "run", "Who are you?");
    expect([run.code, run.stdout]).toEqual([0, "I am large.\n"]);
    const other = await toycoder(folder, "run", "Who are you?", "--model", "acme:small");
    expect(other.stdout).toBe("I am small.\n");
    config(folder, { plugins: ["acme"], model: { provider: "acme", model: "large", temperature: 0.5 } });
    expect((await toycoder(folder, "run", "Who are you?")).stdout).toBe("I am large0.5.\n");
    expect((await toycoder(folder, "plugin", "list")).stdout).toContain("models acme:…");
    config(folder, { plugins: ["acme"], model: "acne:large" });
    const wrong = await toycoder(folder, "run", "Who are you?");
    expect(wrong.code).toBe(3);
    expect(wrong.stderr).toMatch(/did you mean acme\?/);
  });

  it.each([
    [PROVIDER.replace("acme:", "openai:"), /the provider "openai" is built in/],
    [PROVIDER.replace("acme:", '"My Acme":'), /the provider "My Acme" has no name/],
    [", providers: { acme: () => ({}) }", /acme:large, of the plugin acme: it gives no model/],
    [
      ', providers: { acme: () => { throw new Error("no licence"); } }',
      /acme:large, of the plugin acme: no licence/,
    ],
  ])("is refused where it is none: %s", async (provider, message) => {
    using folder = tempWorkspace();
    install(folder, "toycoder-plugin-acme", plugin("acme", "", provider));
    config(folder, { plugins: ["acme"], model: "acme:large" });
    const { code, stderr } = await toycoder(folder, "run", "Go.");
    expect(code).toBe(3);
    expect(stderr).toMatch(message);
  });
});

describe("the entries of a config, all forms in one", () => {
  it("are found, in their order, and listed with where they are from", async () => {
    using folder = tempWorkspace({
      "tools/b.ts":
        "import { definePlugin } from 'toycoder';\nexport const b = definePlugin({ name: 'b-file', version: '1.0.0', api: 1, setup: () => ({ tools: [] }) });\n",
      "tools/a.js":
        "import { definePlugin } from 'toycoder';\nexport default definePlugin({ name: 'a-file', version: '1.0.0', api: 1, setup: () => ({ tools: [] }) });\n",
      "tools/a.test.ts": "throw new Error('a test is no plugin');\n",
      "toycoder.config.ts": `import imported from "toycoder-plugin-imported";
export default {
  plugins: [
    "question",
    ["short", { server: { port: 1 } }],
    [["@acme/toycoder-plugin-scoped", false], process.env.NEVER_SET && "no-such-plugin"],
    "./tools/*",
    null, undefined, "", 0,
    imported,
    [[[imported2()]]],
    "toycoder-plugin-whole",
  ],
};
function imported2() {
  return { ...imported(), name: "made-here" };
}
`,
    });
    for (const name of [
      "toycoder-plugin-short",
      "@acme/toycoder-plugin-scoped",
      "toycoder-plugin-imported",
      "toycoder-plugin-whole",
    ])
      install(folder, name, plugin(name.replace(/^.*plugin-/, ""), ""));
    const { code, stdout, stderr } = await toycoder(folder, "plugin", "list", "--json");
    expect([code, stderr]).toEqual([0, ""]);
    const { plugins } = JSON.parse(stdout) as { plugins: { name: string; origin: object }[] };
    expect(plugins.map(({ name, origin }) => [name, origin])).toEqual([
      ["question", { kind: "builtin", from: "question", place: "plugins[0]" }],
      ["short", { kind: "package", from: "toycoder-plugin-short", place: "plugins[1]" }],
      ["scoped", { kind: "package", from: "@acme/toycoder-plugin-scoped", place: "plugins[2][0][0]" }],
      ["a-file", { kind: "file", from: folder.path("tools/a.js"), place: "plugins[3]" }],
      ["b-file", { kind: "file", from: folder.path("tools/b.ts"), place: "plugins[3]" }],
      ["imported", { kind: "config", place: "plugins[8]" }],
      ["made-here", { kind: "config", place: "plugins[9][0][0][0]" }],
      ["whole", { kind: "package", from: "toycoder-plugin-whole", place: "plugins[10]" }],
    ]);
  });
});

describe("an optional plugin", () => {
  const rest = {
    permissions: { allow: ["number_of"] },
    tools: { enable: ["number_of"], alias: { "x/number_of": "y" } },
  };

  it.each<[string, (folder: TempWorkspace) => void, RegExp]>([
    ["that is not installed", () => {}, /no package @toycoder\/plugin-colours or toycoder-plugin-colours/],
    [
      "that fails to load",
      (folder) => install(folder, "toycoder-plugin-colours", "throw new Error('broken');"),
      /broken/,
    ],
    [
      "of another API",
      (folder) =>
        install(folder, "toycoder-plugin-colours", plugin("colours", "").replace("api: 1", "api: 2")),
      /plugin API 2/,
    ],
    [
      "that fails to set up",
      (folder) =>
        install(
          folder,
          "toycoder-plugin-colours",
          plugin("colours", "(() => { throw new Error('no server'); })()"),
        ),
      /plugin colours: no server/,
    ],
    [
      "that brings no tools",
      (folder) => install(folder, "toycoder-plugin-colours", plugin("colours", '"none"')),
      /not made by defineTool/,
    ],
  ])("%s is left out, and check tells why", async (_, prepare, why) => {
    using folder = tempWorkspace();
    prepare(folder);
    config(folder, { plugins: ["question", ["colours", { optional: true }]], ...rest });
    const { code, stdout } = await toycoder(folder, "check", "--json");
    expect(code).toBe(0);
    const report = JSON.parse(stdout) as { status: Record<string, string>; plugins: { name: string }[] };
    expect(report.plugins.map(({ name }) => name)).toEqual(["question"]);
    expect(report.status["left out"]).toMatch(why);
    config(folder, { plugins: ["question", "colours"] });
    expect((await toycoder(folder, "check")).code).toBe(3);
  });

  it("is there where it can be loaded, and never sees the word", async () => {
    using folder = tempWorkspace();
    install(folder, "toycoder-plugin-colours", plugin("colours", 'tool("number_of", () => "7")'));
    config(folder, { plugins: [["colours", { optional: true, server: { port: 1 } }]] });
    const { code, stdout } = await toycoder(folder, "plugin", "list", "--json");
    expect(code).toBe(0);
    expect(JSON.parse(stdout)).toMatchObject({
      plugins: [{ name: "colours", origin: { optional: true }, tools: ["number_of"] }],
    });
  });

  it("that has wrong options is left out, too; a run tells it", async () => {
    using folder = tempWorkspace();
    install(folder, "toycoder-plugin-colours", plugin("colours", ""));
    config(folder, {
      plugins: ["files", "search", "question", ["colours", { optional: true, port: 1 }]],
      model: "replay:c.jsonl",
    });
    folder.write("c.jsonl", await cassette([{ text: "Done." }]));
    const { code, stdout } = await toycoder(folder, "run", "Go.", "--output", "stream-json");
    expect(code).toBe(0);
    expect(stdout).toMatch(/"type":"notice".*left out: plugin colours: .*port/);
  });
});

describe("a project that npm init has made one of CommonJS", () => {
  const hello = `
import { defineTool } from "@toycoder/core";
import { word } from "./word.ts";
const input = { "~standard": { version: 1, vendor: "x", validate: (value: unknown) => ({ value }),
  jsonSchema: { input: () => ({ type: "object", properties: {} }), output: () => ({}) } } } as never;
export default defineTool({ name: "hello", description: "Say a word of greeting; returns it.", input, execute: () => word });
`;

  it("has its .ts config and plugins as ES modules, where they are written as such", async () => {
    using folder = tempWorkspace({
      "package.json": '{ "type": "commonjs" }',
      "toycoder.config.ts": `import { defineConfig } from "toycoder";\nexport default defineConfig({ plugins: ["./hello.ts"] });\n`,
      "hello.ts": hello,
      "word.ts": `export const word: string = "good day";\n`,
    });
    expect(await toycoder(folder, "tools", "call", "hello", "{}")).toMatchObject({
      code: 0,
      stdout: "good day\n",
      stderr: "",
    });
  });

  it("may write its config as CommonJS", async () => {
    using folder = tempWorkspace({
      "package.json": '{ "type": "commonjs" }',
      "toycoder.config.ts": `const plugins: string[] = ["question"];\nmodule.exports = { plugins };\n`,
    });
    const { code, stdout } = await toycoder(folder, "tools", "--json");
    expect([code, stdout]).toEqual([0, expect.stringContaining("ask_user")]);
  });

  it("is told how to call a .js config that is an ES module", async () => {
    using folder = tempWorkspace({
      "package.json": '{ "type": "commonjs" }',
      "toycoder.config.js": "export default {};\n",
    });
    const { code, stderr } = await toycoder(folder, "tools");
    expect([code, stderr]).toEqual([3, expect.stringContaining("call the file .ts or .mjs")]);
  });
});
