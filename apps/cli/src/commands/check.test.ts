import { readFileSync } from "node:fs";
import { tempWorkspace, type TempWorkspace } from "@toycoder/testing";
import { describe, expect, it } from "vitest";
import type { Report } from "../check/report.ts";
import { cassette, SAFE_TOOLS } from "../test-support/cassette.ts";
import { type Finished, runToycoder } from "../test-support/run-toycoder.ts";

const config = (value: object): Record<string, string> => ({ "toycoder.config.json": JSON.stringify(value) });

async function report(
  folder: TempWorkspace,
  args: string[] = [],
  env: Record<string, string> = {},
): Promise<Report> {
  const { code, stdout, stderr } = await runToycoder(["check", "--json", ...args], { cwd: folder.root, env });
  expect([code, stderr]).toEqual([0, ""]);
  return JSON.parse(stdout) as Report;
}

const sourcesOf = ({ values }: Report): Record<string, [unknown, string]> =>
  Object.fromEntries(values.map(({ key, value, source }) => [key, [value, source]]));

const LAYERS = {
  ...config({
    permissions: { deny: ["exec:git push *"], allow: ["run_command(npm test *)"] },
    limits: { turns: 5 },
    profiles: { ci: { limits: { minutes: 3 } }, release: {} },
  }),
  ".config/toycoder/config.json": JSON.stringify({
    model: { provider: "anthropic", model: "m", headers: { "x-key": "hunter2-hunter2" } },
    permissions: { deny: ["read:**/private/**"] },
    credentials: { mail: "MAIL_TOKEN" },
  }),
};

describe("toycoder check", () => {
  it("tells what set each value: default, person, config, profile or flag", async () => {
    using folder = tempWorkspace(LAYERS);
    const found = await report(folder, ["--profile", "ci", "--allow", "read_file", "--yes"], {
      ANTHROPIC_API_KEY: "sk-x",
    });
    expect(found).toMatchObject({
      schemaVersion: 1,
      config: folder.path("toycoder.config.json"),
      person: folder.path(".config/toycoder/config.json"),
      profile: "ci",
      model: "anthropic:m",
      modelKey: { variable: "ANTHROPIC_API_KEY", present: true },
      limits: { turns: 5, minutes: 3 },
      credentials: [{ name: "mail", variable: "MAIL_TOKEN", present: false }],
    });
    expect(found.tools.find(({ name }) => name === "run_command")).toMatchObject({
      level: "dangerous",
      enabled: true,
      plugin: "shell",
    });
    expect(sourcesOf(found)).toMatchObject({
      model: [{ provider: "anthropic", model: "m", headers: { "x-key": "…" } }, "person"],
      "plugins[0]": ["files", "default"],
      "permissions.allow[0]": ["run_command(npm test *)", "config"],
      "permissions.allow[1]": ["read_file", "flag"],
      "permissions.deny[0]": ["read:**/private/**", "person"],
      "permissions.deny[1]": ["exec:git push *", "config"],
      "permissions.onAsk": ["allow", "flag"],
      "limits.turns": [5, "config"],
      "limits.minutes": [3, "profile"],
      "tools.maxVisible": [20, "default"],
      "credentials.mail": ["MAIL_TOKEN", "person"],
    });
    expect(JSON.stringify(found)).not.toMatch(/hunter2|sk-x/);
  });

  it("prints the fields that docs/config.md describes, and no others", async () => {
    using folder = tempWorkspace();
    const docs = readFileSync(new URL("../../../../docs/config.md", import.meta.url), "utf8");
    const [, table = ""] = /`--json` prints one object:\n\n([^]*?)\n\n|$/.exec(`${docs}\n\n`) ?? [];
    const described = [...table.matchAll(/^\| `(\w+)`/gm)].map(([, field]) => field);
    expect(new Set(Object.keys(await report(folder)))).toEqual(new Set(described));
  });

  it("is readable at 80 columns", async () => {
    const instructions = "Some words to be wrapped. ".repeat(20);
    using folder = tempWorkspace({
      ...LAYERS,
      ...config({ instructions, permissions: { allow: ["write_file(a/**)"], deny: ["write_file"] } }),
    });
    const { stdout } = await runToycoder(["check"], { cwd: folder.root });
    const wide = stdout.split("\n").filter((line) => line.length > 80 && line.trim().includes(" "));
    expect(wide).toEqual([]);
    expect(stdout).toMatch(/^ {13}! allow write_file\(a\/\*\*\): it is never reached: write_file denies$/m);
    expect(stdout).toMatch(/^model {8}anthropic:m; ANTHROPIC_API_KEY is not set$/m);
    expect(stdout).toMatch(/^defaults {5}model, permissions.deny\[0\], credentials.mail from$/m);
  });

  it("names rules that surely do nothing, and no others", async () => {
    using folder = tempWorkspace(
      config({
        tools: { disable: ["ask_user"] },
        permissions: {
          deny: [
            "exec:git push *",
            "exec:npm publish",
            "plugin:search",
            "write:secrets",
            "write_file(a.txt)",
            "read:.env*",
          ],
          ask: ["run_command(npm *)", "grep_search"],
          allow: [
            "run_command(git push origin main)",
            "run_command(git pushed)",
            "run_command(git *)",
            "run_command(npm publish)",
            "run_command(npm publish --dry-run)",
            "run_command(npm test)",
            "glob_search(src/**)",
            "g*_search",
            "*_search",
            "read_file",
            "read_file",
            "write:secrets/a/**",
            "write:secret/**",
            "write_file(secrets/**)",
            "write_file(a.txt)",
            "read:.env.local",
            "ask_user",
          ],
        },
      }),
    );
    const { rules } = await report(folder);
    expect(rules.findings.map(({ list, rule, problem }) => `${list} ${rule}: ${problem}`)).toEqual([
      "ask grep_search: it is never reached: plugin:search denies all of it",
      "allow run_command(git push origin main): it is never reached: exec:git push * denies all of it",
      "allow run_command(npm publish): it is never reached: exec:npm publish denies all of it",
      "allow run_command(npm publish --dry-run): it allows nothing by itself: run_command(npm *) asks about all of it",
      "allow run_command(npm test): it allows nothing by itself: run_command(npm *) asks about all of it",
      "allow glob_search(src/**): it is never reached: plugin:search denies all of it",
      "allow g*_search: it is never reached: plugin:search denies all of it",
      "allow read_file: it is there twice",
      "allow write:secrets/a/**: it is never reached: write:secrets denies all of it",
      "allow write_file(a.txt): it is never reached: write_file(a.txt) denies all of it",
      "allow ask_user: tools.disable takes its tool away",
    ]);
  });

  it.each<[object, Record<string, string>, unknown]>([
    [{}, {}, null],
    [{}, { OPENAI_API_KEY: "x" }, { variable: "OPENAI_API_KEY", present: true }],
    [{ model: "openai:x" }, {}, { variable: "OPENAI_API_KEY", present: false }],
    [{ model: "replay:x" }, {}, null],
    [
      { model: { provider: "openai", model: "x", apiKey: "${MINE}" } },
      { MINE: "x" },
      { variable: null, present: true },
    ],
  ])("says of %j with %j whether the model's key is there", async (value, env, key) => {
    using folder = tempWorkspace(config(value));
    expect((await report(folder, [], env)).modelKey).toEqual(key);
  });

  it.each<[string, string, RegExp]>([
    [
      "toycoder.config.ts",
      "enum A { x }\nexport default {};",
      /^toycoder: \S+\.ts:1: TypeScript enum .*\nenum A .*\n\^+\n {2}Node only strips types: /,
    ],
    [
      "toycoder.config.js",
      "export default {",
      /^toycoder: \S+\.js:1:17: Unexpected end of input\nexport default \{\n {16}\^\n {2}a bracket /,
    ],
    ["toycoder.config.mjs", "throw new Error('no luck');", /^toycoder: \S+\.mjs:1:7: no luck\n/],
    [
      "toycoder.config.json",
      '{ "limits": { "turns": 0 } }',
      /^toycoder: \S+\.json:1:15: limits\.turns: expected /,
    ],
    [
      ".toycoderrc.yaml",
      "limits:\n  turn: 5\n",
      /^toycoder: \S+\.yaml:2:3: limits\.turn: unknown key; did you mean turns\?\n/,
    ],
    [
      ".toycoderrc",
      "model: a\nmodel: b\n",
      /^toycoder: \S+\.toycoderrc:2:1: not valid YAML: duplicated mapping key\n/,
    ],
    [
      "toycoder.config.json",
      '{ "permissions": { "tests": [["no_tool", {}, "deny"]] } }',
      /^toycoder: permissions\.tests\[0\]: .*no_tool/,
    ],
  ])("3: %s that holds %s", async (file, content, message) => {
    using folder = tempWorkspace({ [file]: content });
    const { code, stdout, stderr } = await runToycoder(["check"], { cwd: folder.root });
    expect([code, stdout, stderr]).toEqual([3, "", expect.stringMatching(message) as string]);
  });

  it("3: a fallback that is the model itself, without a stack overflow", async () => {
    using folder = tempWorkspace({
      "toycoder.config.ts":
        "const m = { provider: 'openai', model: 'x', fallback: {} };\nm.fallback = m;\nexport default { model: m };",
    });
    const { code, stderr } = await runToycoder(["check"], { cwd: folder.root });
    expect([code, stderr]).toEqual([3, expect.stringContaining("model.fallback: contains itself") as string]);
  });
});

describe("--profile", () => {
  it("2: one that is not there, with the nearest", async () => {
    using folder = tempWorkspace(LAYERS);
    const { code, stderr } = await runToycoder(["check", "--profile", "realease"], { cwd: folder.root });
    expect([code, stderr]).toEqual([
      2,
      `toycoder: --profile: ${folder.path("toycoder.config.json")} has no profile "realease"\n  did you mean release?\n`,
    ]);
  });

  it("goes before the config, and a flag before it", async () => {
    using folder = tempWorkspace({
      ...config({
        model: "replay:a.jsonl",
        limits: { turns: 9 },
        profiles: { ci: { model: "replay:b.jsonl", limits: { turns: 1 } } },
      }),
    });
    const turns = [{ calls: [{ name: "list_dir", arguments: {} }] }, { text: "b" }];
    folder.write("a.jsonl", await cassette([{ text: "a" }], SAFE_TOOLS));
    folder.write("b.jsonl", await cassette(turns, SAFE_TOOLS));
    const run = (...args: string[]): Promise<Finished> =>
      runToycoder(["run", "x", ...args], { cwd: folder.root });
    expect((await run()).stdout).toBe("a\n");
    expect((await run("--profile", "ci")).code).toBe(7);
    expect(await run("--profile", "ci", "--max-turns", "2")).toMatchObject({ code: 0, stdout: "b\n" });
    expect((await run("--profile", "ci", "--model", "replay:a.jsonl")).stdout).toBe("a\n");
  });
});

describe("a person's defaults", () => {
  it("are told of by each run, and protected from its tools", async () => {
    using folder = tempWorkspace({
      ".config/toycoder/config.json":
        '{ "model": "replay:a.jsonl", "permissions": { "deny": ["read:secret.txt"] } }',
      "secret.txt": "",
    });
    const calls = [
      { name: "read_file", arguments: { path: "secret.txt" } },
      { name: "write_file", arguments: { path: ".config/toycoder/config.json", content: "{}" } },
    ];
    folder.write("a.jsonl", await cassette([{ calls }, { text: "Done." }], SAFE_TOOLS));
    const { code, stdout, stderr } = await runToycoder(["run", "x", "--yes", "--output", "json"], {
      cwd: folder.root,
    });
    const { denials } = JSON.parse(stdout) as { denials: { code: string }[] };
    expect([code, denials.map((one) => one.code)]).toEqual([0, ["permission_denied", "permission_denied"]]);
    expect(stderr + (await runToycoder(["run", "x", "--yes"], { cwd: folder.root })).stderr).toContain(
      `defaults: model, permissions.deny[0] from ${folder.path(".config/toycoder/config.json")}`,
    );
    expect(readFileSync(folder.path(".config/toycoder/config.json"), "utf8")).toContain("replay");
  });
});

describe("discover", () => {
  const plugin = (name: string): Record<string, string> => ({
    [`node_modules/${name}/package.json`]: JSON.stringify({
      name,
      type: "module",
      exports: "./index.js",
      keywords: ["toycoder-plugin"],
    }),
    [`node_modules/${name}/index.js`]: `import { definePlugin } from "@toycoder/core";
export default definePlugin({ name: "${name}", version: "1.2.3", api: 1, setup: () => ({ tools: [] }) });`,
  });

  it("takes the direct dependencies that are plugins; one that is broken is named", async () => {
    using folder = tempWorkspace({
      ...config({ discover: true }),
      "package.json": '{ "devDependencies": { "toycoder-plugin-b": "1", "a-tools": "1" } }',
      ...plugin("toycoder-plugin-b"),
      ...plugin("a-tools"),
      ...plugin("indirect"),
    });
    const { plugins } = await report(folder);
    expect(plugins.map(({ name }) => name)).toEqual([
      "files",
      "search",
      "shell",
      "question",
      "a-tools",
      "toycoder-plugin-b",
    ]);
    folder.write("node_modules/a-tools/index.js", "throw new Error('no luck');");
    const broken = await runToycoder(["check"], { cwd: folder.root });
    expect([broken.code, broken.stderr]).toEqual([
      3,
      'toycoder: discover: the plugin "a-tools": the package a-tools cannot be imported: no luck\n',
    ]);
  });
});
