import { spawnSync } from "node:child_process";
import { existsSync, readFileSync } from "node:fs";
import path from "node:path";
import { Ajv } from "ajv";
import { expect, test } from "vitest";
import { parseDocument } from "yaml";
import { scriptProblems } from "./command-line.mjs";
import { documents, isGenerated, root } from "./documents.mjs";
import { readMarkdown } from "./markdown.mjs";
import { typeErrors } from "./type-errors.mjs";

const all = documents().filter(({ file }) => !isGenerated(file));
const blocks = all.flatMap(({ file, blocks }) => blocks.map((block) => ({ ...block, file })));
const ofLanguages = (...languages) => blocks.filter(({ language }) => languages.includes(language));
const place = ({ file, line }) => `${file}:${line}`;

const configSchema = JSON.parse(
  readFileSync(path.join(root, "packages/config/schemas/config.schema.json"), "utf8"),
);
const fitsConfig = new Ajv({ strict: false, allErrors: true }).compile(configSchema);

/** What is wrong with a value as a config; nothing for one that has none of a config's keys. */
function configProblems(value) {
  const keys = Object.keys(configSchema.properties);
  if (value === null || typeof value !== "object" || !Object.keys(value).some((key) => keys.includes(key)))
    return [];
  return fitsConfig(value)
    ? []
    : fitsConfig.errors.map(({ instancePath, message }) => `${instancePath} ${message}`);
}

/** How each language is checked: what is wrong with a block. `ts` is checked by the compiler, below. */
const CHECKS = {
  ts: () => [],
  // The tutorial of writing plugins, which the soak of the command follows word for word.
  mts: ({ comment }) => (comment === "tutorial" ? [] : ["mts is for the tutorial; say ts"]),
  sh: async ({ code }) => {
    const { stderr } = spawnSync("bash", ["-n"], { input: code, encoding: "utf8" });
    return [...(stderr === "" ? [] : [stderr]), ...(await scriptProblems(code))];
  },
  json: ({ code }) => configProblems(JSON.parse(code)),
  jsonl: ({ code }) =>
    code
      .trim()
      .split("\n")
      .flatMap((line) => (JSON.parse(line) ? [] : [line])),
  // Workflows and their steps are linted in ci-files.test.mjs.
  yaml: ({ code }) => {
    const document = parseDocument(code, { strict: true });
    const value = document.toJS();
    const problems = [...document.errors, ...document.warnings].map(({ message }) => message);
    return value?.jobs === undefined ? problems.concat(configProblems(value)) : problems;
  },
  // For a server of its own: the comment before it, `<!-- run by FILE -->`, names the test that runs it.
  sql: ({ comment }) => {
    const test = path.join(root, /^run by (\S+\.test\.ts)$/.exec(comment)?.[1] ?? "-");
    return existsSync(test) && readFileSync(test, "utf8").includes("README.md")
      ? []
      : ["no test is named that runs it"];
  },
  // What is printed. Where a document can be followed, its test holds the run to it.
  text: () => [],
};

async function problemsOf(block) {
  const check = Object.hasOwn(CHECKS, block.language) ? CHECKS[block.language] : undefined;
  if (check === undefined) return [`no check for the language ${JSON.stringify(block.language)}`];
  try {
    return await check(block);
  } catch (error) {
    return [error.message];
  }
}

test("blocks are found with their lines, in lists too", () => {
  const text = "# A\n\n```ts\nconst a = 1;\n```\n\n- b\n\n  ```sh\n  ls\n  ```\n\n```\nnone\n```\n";
  const found = readMarkdown(text).blocks.map(({ language, code, line }) => ({ language, code, line }));
  expect(found).toEqual([
    { language: "ts", code: "const a = 1;\n", line: 4 },
    { language: "sh", code: "ls\n", line: 10 },
    { language: "", code: "none\n", line: 14 },
  ]);
});

test.each([
  ["", "x", "no check for the language"],
  ["sh", "if true; then", "syntax error"],
  ["sh", "echo x | toycoder runn y", "there is no command runn"],
  ["sh", 'A=1 npx -y toycoder@1 run "x" --alow y > z', "unknown flag --alow; did you mean --allow?"],
  ["sh", 'eval "$(toycoder completions basch)"', "completions has no basch"],
  ["sh", "toycoder run x --max-turns many", "--max-turns is a whole number"],
  ["json", '{ "limits": { "turns": "5" } }', "/limits/turns"],
  ["json", '{ "model": "auto", "plugin": [] }', "additional properties"],
  ["yaml", "permissions:\n  allowed: []\n", "additional properties"],
  ["yaml", "a: [", "Flow sequence"],
  ["jsonl", '{"a":1}\n{', "JSON"],
  ["sql", "select 1", "no test is named"],
])("a fault is found in %s: %s", async (language, code, problem) => {
  expect((await problemsOf({ language, code, comment: "" })).join("\n")).toContain(problem);
});

test("every block of the documentation is of a language that is checked, and sound", async () => {
  expect(blocks.length).toBeGreaterThan(100);
  const problems = [];
  for (const block of blocks)
    for (const problem of await problemsOf(block)) problems.push(`${place(block)}: ${problem}`);
  expect(problems).toEqual([]);
}, 30_000);

test("every command line in a text could be typed", async () => {
  const problems = [];
  for (const { file, codes } of all)
    for (const { code, line } of codes) {
      // `toycoder run [task]`, `toycoder COMMAND --help` and `toycoder run --record` describe, and are not typed.
      if (!/^(?:npx )?toycoder [a-z-]/.test(code) || /[[|…]/.test(code)) continue;
      for (const problem of await scriptProblems(code))
        if (!problem.includes("needs a value")) problems.push(`${file}:${line}: ${problem}`);
    }
  expect(problems).toEqual([]);
});

test("every TypeScript block is type-correct", () => {
  expect(ofLanguages("ts").length).toBeGreaterThan(40);
  expect(typeErrors(ofLanguages("ts"))).toBe("");
}, 60_000);

test("a TypeScript fault is found", () => {
  expect(typeErrors([{ file: "README.md", line: 1, code: "const a: number = 'x';\n" }])).toContain("TS2322");
}, 60_000);
