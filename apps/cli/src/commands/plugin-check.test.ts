import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { tempWorkspace } from "@toycoder/testing";
import { afterAll, describe, expect, it } from "vitest";
import type { CheckReport } from "../plugin-check/check-plugin.ts";
import { runToycoder } from "../test-support/run-toycoder.ts";

const ROOT = fileURLToPath(new URL("../../../../", import.meta.url));
const BAD = fileURLToPath(new URL("../../fixtures/bad-plugins/", import.meta.url));

/** Not the folder that is checked: npm keeps its cache there. */
const home = tempWorkspace();
afterAll(() => home.dispose());
const env = { HOME: home.root };

async function check(
  plugin: string,
  cwd: string,
  ...flags: string[]
): Promise<{ code: number | null; report: CheckReport }> {
  const { code, stdout, stderr } = await runToycoder(["plugin", "check", plugin, "--json", ...flags], {
    cwd,
    env,
    input: "",
  });
  expect(stderr).toBe("");
  return { code, report: JSON.parse(stdout) as CheckReport };
}

/** Each planted fault: `severity code`, and where it is found. */
const FAULTS: Readonly<Record<string, readonly string[]>> = {
  manifest: [
    "error package_name: package.json, name",
    "error version_invalid: package.json, version",
    "error keyword_missing: package.json, keywords",
    "warning license_missing: package.json, license",
    "warning package_description_missing: package.json, description",
    "error core_is_dependency: package.json, dependencies.@toycoder/core",
    "error peer_missing: package.json, peerDependencies",
    "error not_esm: package.json, type",
    "warning exports_missing: package.json, exports",
    "warning types_missing: package.json, exports",
    "warning engines_missing: package.json, engines",
    "warning types_unpublished: published files",
    "error secret_published: published files",
    "warning tests_published: published files",
    "warning readme_missing: published files",
    "error version_differs: plugin, version",
  ],
  peer: [
    "error peer_excludes: package.json, peerDependencies.@toycoder/core",
    "error entry_typescript: package.json, exports",
    "error entry_unpublished: published files",
  ],
  "no-build": [
    "error entry_missing: package.json, exports",
    "warning types_missing: package.json, exports",
    "error entry_unpublished: published files",
  ],
  imports: [
    "error import_writes: ./index.js",
    "error import_starts_process: ./index.js",
    "error import_connects: ./index.js",
    "error import_changes_globals: ./index.js",
    "error import_leaves_open: ./index.js",
    "error import_prints: ./index.js",
  ],
  api: ["error api_unknown: plugin, api"],
  "no-plugin": ["error no_plugin: exports"],
  setup: [
    "error plugin_name: plugin, name",
    "error version_invalid: plugin, version",
    "warning setup_connects: setup",
    "warning options_open: options",
    "warning brings_nothing: setup",
    "error leaves_open: dispose",
  ],
  offline: ["error version_differs: plugin, version", "error setup_needs_network: setup"],
  options: ["error options_needed: options"],
  "tool-version": ["error tool_invalid: setup"],
  words: [
    "error description_vague: tool query, description",
    "error description_no_result: tool weigh, description",
    "warning description_no_place: tool rhyme, description",
    "error parameter_undescribed: tool order_state, input since",
    "error level_missing: tool delete_order, permission",
    "warning effects_missing: tool delete_order, effects",
    "error effects_missing: tool load_report, effects",
    "error schema_not_convertible: tool archive_since, input",
    "warning too_many_tools: tools",
    "warning name_taken: tool read_file, name",
    "error names_alike: tool shopopen",
    "warning descriptions_alike: tools order_state and order_items",
    "warning descriptions_alike: tools order_state and orders_item",
    "error descriptions_alike: tools order_items and orders_item",
    "warning names_differ_in_style: inputs order_state.order_id and order_items.customerId",
  ],
  calls: [
    "warning throws_bare: tool page_title, execute",
    "error path_unchecked: tool page_title, input page",
    "error command_unchecked: tool branch_log, input branch",
    "warning sql_open: tool order_state, input table",
    "error sql_unchecked: tool order_state, input id",
    "error effects_throw: tool first_word, effects",
    "warning throws_bare: tool last_word, execute",
    "warning prints: plugin",
  ],
  exits: ["error process_ended: plugin"],
};

describe("toycoder plugin check, on plugins with planted faults", () => {
  it.each(Object.entries(FAULTS))("finds those of %s, and no others", async (name, faults) => {
    const { code, report } = await check(name, BAD);
    const found = report.findings.filter(({ severity }) => severity !== "note");
    expect(found.map(({ severity, code: kind, place }) => `${severity} ${kind}: ${place}`)).toEqual(faults);
    expect(code).toBe(9);
    expect(report.findings.every(({ fix, message }) => fix.length > 10 && message.length > 5)).toBe(true);
  });

  it("are of more than 25 kinds", () => {
    const kinds = new Set(
      Object.values(FAULTS)
        .flat()
        .map((fault) => fault.replace(/^\w+ (\w+):.*$/, "$1")),
    );
    expect(kinds.size).toBeGreaterThan(40);
    const guide = readFileSync(`${ROOT}docs/writing-plugins.md`, "utf8");
    expect([...kinds].filter((kind) => !guide.includes(`\`${kind}\``))).toEqual([]);
  });

  it("finds nothing more where the options that a plugin needs are given", async () => {
    const { code, report } = await check("options", BAD, "--options", '{"project":"x"}');
    expect(code).toBe(0);
    expect(report).toMatchObject({ plugin: { name: "options" }, errors: 0, warnings: 0 });
  });
});

describe("toycoder plugin check, on ours", () => {
  it.each(["files", "search", "shell", "question"])("finds nothing in the package of %s", async (name) => {
    const { code, report } = await check(`packages/plugin-${name}`, ROOT, "--strict");
    expect(report.findings.filter(({ severity }) => severity !== "note")).toEqual([]);
    expect(code).toBe(0);
    expect(report.tools.length).toBeGreaterThan(0);
    expect(report.tools.every(({ calls }) => calls > 0)).toBe(true);
  });
});

describe("toycoder plugin check", () => {
  it("takes the name of a built-in plugin", async () => {
    const { code, report } = await check("question", ROOT);
    expect(code).toBe(0);
    expect(report).toMatchObject({
      package: null,
      plugin: { name: "question" },
      tools: [{ name: "ask_user" }],
    });
  });

  it("takes a module of tools, which is no package", async () => {
    using folder = tempWorkspace({
      "tools.ts": `import { defineTool } from "toycoder";
export const pi = defineTool({
  name: "digits_of_pi",
  description: "Give the digits of pi in base ten as text.",
  input: { "~standard": { version: 1, vendor: "x", validate: (value: unknown) => ({ value }), jsonSchema: { input: () => ({ type: "object", properties: {} }) } } } as never,
  execute: () => "3.14",
});
`,
    });
    const { code, report } = await check("tools.ts", folder.root);
    expect(report).toMatchObject({ package: null, plugin: { name: "checked" }, errors: 0 });
    expect(code).toBe(0);
  });

  it("says in text what is wrong, where, and what to do", async () => {
    const { stdout, code } = await runToycoder(["plugin", "check", "no-plugin"], {
      cwd: BAD,
      env,
      input: "",
    });
    expect(stdout).toBe(`toycoder-plugin-no-plugin

✗ exports: it exports shout, but no plugin (definePlugin) [no_plugin]
  export default definePlugin({ … })

1 error, 0 warnings.
`);
    expect(code).toBe(9);
  });

  it.each([
    [
      ["check", "nowhere"],
      /no folder "nowhere", and no package @toycoder\/plugin-nowhere or toycoder-plugin-nowhere/,
    ],
    [["check", "a", "b"], /takes one plugin/],
    [["chekc"], /did you mean check/],
    [["check", ".", "--options", "["], /not JSON/],
  ])("is wrong use: %j", async (args, message) => {
    using folder = tempWorkspace();
    const { code, stdout, stderr } = await runToycoder(["plugin", ...args], { cwd: folder.root, input: "" });
    expect([code, stdout]).toEqual([2, ""]);
    expect(stderr).toMatch(message);
  });
});
