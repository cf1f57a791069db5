import assert from "node:assert/strict";
import { createWorkspace, textOf, type Tool, type ToolResult } from "@toycoder/core";
import { findingText } from "../finding.ts";
import type { ContractCase } from "../model-contract/subject.ts";
import { tempWorkspace } from "../temp-workspace.ts";
import { toolBench } from "../tool-bench.ts";
import { encodeFindings, lossesOf } from "./encode-findings.ts";
import { inspectTool } from "./inspect-tool.ts";
import { changesThings } from "./level-findings.ts";
import type { ToolExample, ToolSubject, WrongInput } from "./subject.ts";

/** What dispatch lets through to a model at most, unless a session says otherwise. */
const MAX_RESULT_CHARS = 30_000;

/** The cases that a tool has to pass, for any test runner. */
export function toolContract(subject: ToolSubject): ContractCase[] {
  const { tool, examples, encoders = [], accepted = {} } = subject;
  const wrong = [...schemaWrongs(subject), ...(subject.wrong ?? [])];
  return [
    {
      name: "says what it does, where, and what it returns, and declares what it may do",
      run: async () => {
        const errors = inspectTool(tool).filter(
          ({ severity, code }) => severity === "error" && !Object.hasOwn(accepted, code),
        );
        assert.equal(errors.map(findingText).join("\n"), "");
      },
    },
    ...encoders.map((encoder) => ({
      name: `is taken by ${encoder.name}`,
      run: async () => {
        const errors = encodeFindings(tool, encoder).filter(({ severity }) => severity === "error");
        assert.equal(errors.map(findingText).join("\n"), "");
        const known = subject.losses?.[encoder.name];
        if (known !== undefined) assert.deepEqual(lossesOf(tool, encoder), [...known]);
      },
    })),
    {
      name: "has an example that succeeds",
      run: async () =>
        assert.ok(
          examples.some(({ fails }) => fails === undefined),
          "there is none in `examples`",
        ),
    },
    ...examples.map((example) => ({
      name: `takes ${JSON.stringify(example.input)}`,
      run: async () => holdsExample(await call(subject, example.input), example),
    })),
    ...wrong.map((one) => ({
      name: `refuses ${JSON.stringify(one.input)}`,
      run: async () => isRefused(await call(subject, one.input), one),
    })),
    { name: "tells its effects before it runs", run: () => tellsEffects(subject) },
    { name: "ends when it is aborted", run: () => endsWhenAborted(subject) },
  ];
}

async function call(subject: ToolSubject, input: ToolExample["input"]): Promise<ToolResult> {
  const { tool, files, ask, credentials } = subject;
  using workspace = tempWorkspace(files);
  const bench = toolBench([tool], {
    root: workspace.root,
    maxResultChars: Number.MAX_SAFE_INTEGER,
    ...(ask && { ask }),
    ...(credentials && { credentials }),
  });
  try {
    return await bench.call(tool.name, { ...input });
  } finally {
    bench.session.dispose();
  }
}

function holdsExample(result: ToolResult, { fails }: ToolExample): void {
  const said = textOf(result.content);
  if (fails === undefined) assert.ok(result.ok, said);
  else {
    assert.ok(!result.ok, `it succeeds, and should fail with ${fails}: ${said}`);
    assert.equal(result.error.code, fails, said);
  }
  if (!result.ok) {
    assert.notEqual(
      result.error.code,
      "execution_failed",
      `it throws what is no ToolError; return fail(code, message) or throw one: ${said}`,
    );
  }
  assert.ok(
    said.length <= MAX_RESULT_CHARS,
    `the result has ${said.length} characters; over ${MAX_RESULT_CHARS} are cut: give it pages or a limit`,
  );
}

function isRefused(result: ToolResult, { says }: WrongInput): void {
  assert.ok(!result.ok, "it is taken");
  assert.equal(result.error.code, "invalid_arguments", result.error.message);
  assert.ok(result.error.message.includes(says), `${result.error.message} says ${says}`);
}

/** Inputs that are wrong by the schema alone: an unknown key, and each required one left out. */
function schemaWrongs({ tool, examples }: ToolSubject): WrongInput[] {
  const good = examples.find(({ fails }) => fails === undefined)?.input;
  if (good === undefined) return [];
  const { required, additionalProperties } = tool.jsonSchema;
  const wrong: WrongInput[] = [];
  if (additionalProperties === false)
    wrong.push({ input: { ...good, not_a_parameter: 1 }, says: "not_a_parameter" });
  for (const name of Array.isArray(required) ? required : []) {
    const { [name]: _, ...rest } = good;
    wrong.push({ input: rest, says: name });
  }
  return wrong;
}

/** Effects are there where the tool needs some, can be worked out for each example, and fit its level. */
async function tellsEffects({ tool, examples, files }: ToolSubject): Promise<void> {
  if (tool.effects === undefined) return;
  using folder = tempWorkspace(files);
  const workspace = createWorkspace({ root: folder.root });
  const context = { workspace, resolve: (path: string) => workspace.resolve(path) };
  for (const { input, fails } of examples) {
    if (fails === "invalid_arguments") continue;
    const validated = await tool.input["~standard"].validate(input);
    assert.ok(validated.issues === undefined, `the example ${JSON.stringify(input)} does not fit the input`);
    const effects = await tool.effects(validated.value, context);
    const changes = effects.filter(({ kind }) => kind === "write" || kind === "exec");
    if (tool.permission === "safe")
      assert.deepEqual(changes, [], "a safe tool runs unasked, so it writes and executes nothing");
    else if (changesThings(tool))
      assert.ok(effects.length > 0, `no effect is told for ${JSON.stringify(input)}`);
  }
}

/** After an abort, `execute` itself comes to an end: dispatch would not wait for it. */
async function endsWhenAborted(subject: ToolSubject): Promise<void> {
  const { tool, slow, examples, files, ask, credentials } = subject;
  const input = slow ?? examples.find(({ fails }) => fails === undefined)?.input ?? {};
  using workspace = tempWorkspace(files);
  const begun = Promise.withResolvers<void>();
  let ended: Promise<unknown> = Promise.resolve();
  const execute: Tool["execute"] = (given, ctx) => {
    const work = (async () => await tool.execute(given, ctx))();
    ended = work.catch(() => {});
    begun.resolve();
    return work;
  };
  const watched = Object.freeze(Object.create(tool, { execute: { value: execute } }) as Tool);
  const bench = toolBench([watched], {
    root: workspace.root,
    ...(ask && { ask }),
    ...(credentials && { credentials }),
  });
  const controller = new AbortController();
  const pending = bench.call(tool.name, { ...input }, controller.signal);
  await Promise.race([begun.promise, pending]);
  await new Promise((resolve) => setImmediate(resolve));
  controller.abort();
  const result = await pending;
  if (slow !== undefined) assert.ok(!result.ok, "the slow call ended before it was aborted");
  await ended;
  bench.session.dispose();
}
