import { describe, expect, it } from "vitest";
import { editJson, editYaml } from "./edit-data.ts";
import { editModule } from "./edit-module.ts";

const NAMES = ["toycoder-plugin-acme", "acme"];
const DEFAULTS = ["files", "shell"];
const module = (source: string) => editModule(source, '"toycoder-plugin-acme"', NAMES, DEFAULTS);

describe("a config module", () => {
  it.each([
    [
      "a list on one line",
      'export default defineConfig({ plugins: ["files", "shell"] });\n',
      'export default defineConfig({ plugins: ["files", "shell", "toycoder-plugin-acme"] });\n',
    ],
    [
      "a list of several lines, with comments",
      `import { defineConfig } from "toycoder";

// What it may do.
export default defineConfig({
  plugins: [
    "files", // reading
    ["shell", { timeoutSeconds: 60 }] /* slow tests */,
    // the last one
  ],
  model: "auto", // by key
});
`,
      `import { defineConfig } from "toycoder";

// What it may do.
export default defineConfig({
  plugins: [
    "files", // reading
    ["shell", { timeoutSeconds: 60 }] /* slow tests */,
    // the last one
    "toycoder-plugin-acme",
  ],
  model: "auto", // by key
});
`,
    ],
    [
      "a last entry without a comma",
      'export default {\n\tplugins: [\n\t\t"files", // ", "\n\t\tprocess.env.CI && "x" // only there\n\t],\n};\n',
      'export default {\n\tplugins: [\n\t\t"files", // ", "\n\t\tprocess.env.CI && "x", // only there\n\t\t"toycoder-plugin-acme",\n\t],\n};\n',
    ],
    [
      "an empty list",
      "export default { plugins: [] };\n",
      'export default { plugins: ["toycoder-plugin-acme"] };\n',
    ],
    [
      "no list: the defaults are written out",
      'export default defineConfig({\n  // The model.\n  model: "auto",\n});\n',
      'export default defineConfig({\n  plugins: ["files", "shell", "toycoder-plugin-acme"],\n  // The model.\n  model: "auto",\n});\n',
    ],
    [
      "an empty config",
      "export default defineConfig({});\n",
      'export default defineConfig({ plugins: ["files", "shell", "toycoder-plugin-acme"] });\n',
    ],
    [
      "a constant with a type",
      'const config = { plugins: ["files"] } satisfies ToycoderConfig;\nexport default config as ToycoderConfig;\n',
      'const config = { plugins: ["files", "toycoder-plugin-acme"] } satisfies ToycoderConfig;\nexport default config as ToycoderConfig;\n',
    ],
    [
      "CommonJS, and a text with two-byte characters before it",
      '// 配置 🙂\nmodule.exports = { plugins: ["files",] };\n',
      '// 配置 🙂\nmodule.exports = { plugins: ["files", "toycoder-plugin-acme",] };\n',
    ],
  ])("takes an entry: %s", (_, source, expected) => {
    expect(module(source)).toEqual({ text: expected });
    // A second time it is there.
    expect(module(expected)).toBe("present");
  });

  it.each(['["acme", { x: 1 }]', '"toycoder-plugin-acme"', '"acme"'])("has it already as %s", (entry) => {
    expect(module(`export default { plugins: ["files", ${entry}] };`)).toBe("present");
  });

  it.each([
    ["a function's result", "export default make({ plugins: [] });"],
    ["a list from elsewhere", 'import { list } from "./list.ts";\nexport default { plugins: list };'],
    ["a spread config without a list", "export default { ...base };"],
    ["no export", "const config = { plugins: [] };"],
    ["what does not parse", "export default {"],
  ])("is left alone: %s", (_, source) => expect(module(source)).toBeUndefined());

  it("keeps every other character, wherever comments and line ends are", () => {
    const source = 'export default {\r\n  plugins: [\r\n    "files",\r\n  ],\r\n};\r\n';
    const edit = module(source);
    expect(edit).toBeTypeOf("object");
    const text = typeof edit === "object" ? edit.text : "";
    expect(text.replace('    "toycoder-plugin-acme",\n', "")).toBe(source);
  });
});

describe("a JSON config", () => {
  it("takes an entry, and keeps its indentation", () => {
    const source = '{\n    "model": "auto",\n    "plugins": [\n        "files"\n    ]\n}\n';
    expect(editJson(source, ["toycoder-plugin-acme", { a: 1 }], NAMES, DEFAULTS)).toEqual({
      text: '{\n    "model": "auto",\n    "plugins": [\n        "files",\n        [\n            "toycoder-plugin-acme",\n            {\n                "a": 1\n            }\n        ]\n    ]\n}\n',
    });
  });

  it("gets the defaults written out where it has no list", () => {
    const edit = editJson('{ "model": "auto" }\n', "toycoder-plugin-acme", NAMES, DEFAULTS);
    expect(JSON.parse(typeof edit === "object" ? edit.text : "")).toEqual({
      model: "auto",
      plugins: ["files", "shell", "toycoder-plugin-acme"],
    });
  });

  it("is left alone where it has it, or is none", () => {
    expect(editJson('{ "plugins": [["acme", {}]] }', "x", NAMES, DEFAULTS)).toBe("present");
    expect(editJson("[]", "x", NAMES, DEFAULTS)).toBeUndefined();
    expect(editJson('{ "plugins": "files" }', "x", NAMES, DEFAULTS)).toBeUndefined();
  });
});

describe("a YAML config", () => {
  const SOURCE =
    "# What it may do.\nmodel: auto # by key\n\nplugins:\n  - files\n  - [shell, { timeoutSeconds: 60 }] # slow\n\nlimits:\n  turns: 9\n";

  it("takes an entry, and keeps its comments", () => {
    const edit = editYaml(SOURCE, "toycoder-plugin-acme", NAMES, DEFAULTS);
    const text = typeof edit === "object" ? edit.text : "";
    expect(text).toContain("  - toycoder-plugin-acme\n");
    expect(text.replace("  - toycoder-plugin-acme\n", "")).toBe(SOURCE);
    expect(editYaml(text, "toycoder-plugin-acme", NAMES, DEFAULTS)).toBe("present");
  });

  it("keeps sequences that are not indented", () => {
    const edit = editYaml("plugins:\n- files\n- shell\n", "toycoder-plugin-acme", NAMES, DEFAULTS);
    expect(edit).toEqual({ text: "plugins:\n- files\n- shell\n- toycoder-plugin-acme\n" });
  });

  it("takes an entry with a scope or options, in a list on one line", () => {
    const edit = editYaml(
      "plugins: [files] # few\nmodel: auto\n",
      ["@acme/toycoder-plugin-x", { a: 1 }],
      NAMES,
      DEFAULTS,
    );
    expect(edit).toEqual({
      text: 'plugins: [files, ["@acme/toycoder-plugin-x",{"a":1}]] # few\nmodel: auto\n',
    });
    expect(editYaml("plugins: []\n", "acme-x", NAMES, DEFAULTS)).toEqual({ text: "plugins: [acme-x]\n" });
  });

  it("gets the defaults written out where it has no list", () => {
    const edit = editYaml("# A config.\nmodel: auto\n", "toycoder-plugin-acme", NAMES, DEFAULTS);
    expect(edit).toEqual({
      text: "# A config.\nmodel: auto\nplugins: [files, shell, toycoder-plugin-acme]\n",
    });
  });

  it("is left alone where it is no YAML, or its list no list", () => {
    expect(editYaml("a: [", "x", NAMES, DEFAULTS)).toBeUndefined();
    expect(editYaml("plugins: files\n", "x", NAMES, DEFAULTS)).toBeUndefined();
  });
});
