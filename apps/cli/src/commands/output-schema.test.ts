import { execFileSync } from "node:child_process";
import { existsSync } from "node:fs";
import type { RunResult } from "@toycoder/agent";
import { tempWorkspace } from "@toycoder/testing";
import { describe, expect, it } from "vitest";
import type { Answer } from "../test-support/answer.ts";
import { cassette } from "../test-support/cassette.ts";
import { modelServer } from "../test-support/model-server.ts";
import { runToycoder } from "../test-support/run-toycoder.ts";

const SCHEMA = {
  type: "object",
  properties: { lines: { type: "integer" }, note: { type: "string" } },
  required: ["lines"],
  additionalProperties: false,
};
const LIST = { type: "array", items: { type: "string" }, minItems: 1 };

const ANSWERS: readonly Answer[] = [
  { calls: [{ name: "read_file", arguments: { path: "a.txt" } }] },
  { text: '{"lines": "three"}' },
  { text: '{"lines": 3}' },
];

interface Body {
  tools: unknown[];
  text?: { format?: Format };
  response_format?: { json_schema?: Format };
  output_config?: { format?: Format };
  instructions?: string;
  system?: unknown;
  messages?: unknown[];
}

interface Format {
  schema?: unknown;
  strict?: boolean;
}

/** What each API is asked for. */
const ASKED: Readonly<Record<string, (body: Body) => Format | undefined>> = {
  "openai:m": ({ text }) => text?.format,
  "openai-chat:m": ({ response_format: format }) => format?.json_schema,
  "openai-compatible:m": ({ response_format: format }) => format?.json_schema,
  "anthropic:m": ({ output_config: config }) => config?.format,
};
const instructionsOf = ({ instructions, system, messages }: Body): string =>
  JSON.stringify(instructions ?? system ?? messages?.[0]);

const ENV = { OPENAI_API_KEY: "sk-test-123", ANTHROPIC_API_KEY: "sk-ant-123" };

describe.each(Object.entries(ASKED))("--output-schema over %s", (model, asked) => {
  const run = async (answers: readonly Answer[], schema: object) => {
    await using server = await modelServer(answers);
    using folder = tempWorkspace({ "a.txt": "1\n2\n3\n", "s.json": JSON.stringify(schema) });
    const base = model.startsWith("anthropic") ? server.url : `${server.url}/v1`;
    const args = [
      "run",
      "Count.",
      "--model",
      model,
      "--base-url",
      base,
      "--output-schema",
      "s.json",
      "--output",
      "json",
    ];
    const { stdout, code } = await runToycoder(args, { cwd: folder.root, env: ENV });
    return { code, result: JSON.parse(stdout) as RunResult, requests: server.requests as Body[] };
  };

  it("asks for it beside the tools, and has a wrong answer put right", async () => {
    const { code, result, requests } = await run(ANSWERS, SCHEMA);
    expect({ code, result }).toMatchObject({
      code: 0,
      result: { status: "completed", output: { lines: 3 }, text: '{"lines": 3}', turns: 3 },
    });
    expect(requests).toHaveLength(3);
    for (const body of requests) {
      expect(asked(body)).toMatchObject({
        schema: { type: "object", properties: { lines: { type: "integer" } }, required: ["lines"] },
      });
      expect(body.tools.length).toBeGreaterThan(3);
      expect(instructionsOf(body)).toContain("JSON Schema");
    }
    expect(JSON.stringify(requests[2])).toContain("expected an integer");
  });

  it("asks for a list in an object, and gives the list", async () => {
    const { code, result, requests } = await run([{ text: '{"value":["a","b"]}' }], LIST);
    expect({ code, result }).toMatchObject({ code: 0, result: { output: ["a", "b"], text: '["a","b"]' } });
    expect(asked(requests[0]!)).toMatchObject({
      schema: { type: "object", properties: { value: { type: "array" } }, required: ["value"] },
    });
  });

  it("says in the prompt alone what cannot be said in strict form", async () => {
    const open = { type: "object", additionalProperties: { type: "integer" } };
    const { code, result, requests } = await run([{ text: '{"a":1}' }], open);
    expect({ code, output: result.output }).toEqual({ code: 0, output: { a: 1 } });
    expect(instructionsOf(requests[0]!)).toContain(
      String.raw`\"additionalProperties\":{\"type\":\"integer\"}`,
    );
    expect(asked(requests[0]!)?.strict).not.toBe(true);
  });

  it("ends with 5 where the answer stays wrong", async () => {
    const { code, result, requests } = await run([{ text: "a" }, { text: "b" }, { text: "{}" }], SCHEMA);
    expect({ code, result }).toMatchObject({
      code: 5,
      result: { status: "output_invalid", exitCode: 5, output: null, error: { code: "output_invalid" } },
    });
    expect(result.error!.message).toContain("lines: ");
    expect(requests).toHaveLength(3);
  });
});

describe("a schema", () => {
  const play = async (files: Record<string, string>, more: readonly string[] = []) => {
    using folder = tempWorkspace({ "c.jsonl": await cassette([{ text: '{"lines":3}' }]), ...files });
    const args = ["run", "Count.", "--model", "replay:c.jsonl", "--output", "json", ...more];
    const finished = await runToycoder(args, { cwd: folder.root });
    return {
      ...finished,
      result: finished.stdout === "" ? undefined : (JSON.parse(finished.stdout) as RunResult),
    };
  };

  it("of a JSON config is held to", async () => {
    const { code, result } = await play({ "toycoder.config.json": JSON.stringify({ outputSchema: SCHEMA }) });
    expect({ code, output: result?.output }).toEqual({ code: 0, output: { lines: 3 } });
  });

  it("of zod in a config is held to; the flag goes before it", async () => {
    const zod = new URL("../../node_modules/zod/index.js", import.meta.url).href;
    const config = `import { z } from ${JSON.stringify(zod)};\nexport default { outputSchema: z.object({ lines: z.number().max(2) }) };\n`;
    // The cassette has no answer to a repair.
    const wrong = await play({ "toycoder.config.ts": config });
    expect(wrong.code).not.toBe(0);
    const right = await play({ "toycoder.config.ts": config, "s.json": JSON.stringify(SCHEMA) }, [
      "--output-schema",
      "s.json",
    ]);
    expect({ code: right.code, output: right.result?.output }).toEqual({ code: 0, output: { lines: 3 } });
  });

  it.each([
    ["absent.json", "no such file"],
    [".", "it is a folder"],
    ["fifo", "it is no regular file"],
    ["broken.json", "JSON"],
    ["text.json", "a JSON Schema is an object"],
    ["type.json", "strnig"],
    ["example.json", "no JSON Schema"],
  ])("in %s is a usage error at once", async (file, message) => {
    using folder = tempWorkspace({
      "c.jsonl": await cassette([{ text: "never" }]),
      "broken.json": '{"type": ',
      "text.json": '"object"',
      "type.json": '{"type": "strnig"}',
      "example.json": '{"lines": 3}',
    });
    execFileSync("mkfifo", [folder.path("fifo")]);
    const args = ["run", "x", "--model", "replay:c.jsonl", "--output", "json", "--output-schema", file];
    const { code, stdout, stderr } = await runToycoder(args, { cwd: folder.root });
    expect({ code, stdout }).toEqual({ code: 2, stdout: "" });
    expect(stderr).toContain(`--output-schema ${file}: `);
    expect(stderr).toContain(message);
    expect(existsSync(folder.path(".state/sessions"))).toBe(false);
  });

  it.each([
    ["strnig", JSON.stringify({ outputSchema: { type: "strnig" } })],
    ["outputSchema: expected a JSON Schema", JSON.stringify({ outputSchema: "object" })],
  ])("of a config that is none (%s) is a config error at once", async (message, config) => {
    const { code, result } = await play({ "toycoder.config.json": config });
    expect({ code, result }).toMatchObject({ code: 3, result: { status: "config_error", turns: 0 } });
    expect(result?.error?.message).toContain("outputSchema: ");
    expect(result?.error?.message).toContain(message);

    using folder = tempWorkspace({ "toycoder.config.json": config });
    const checked = await runToycoder(["check"], { cwd: folder.root });
    expect(checked.code).toBe(3);
    expect(checked.stderr).toContain(message);
  });

  it("makes stdout valid JSON in the text format, too", async () => {
    using folder = tempWorkspace({
      "c.jsonl": await cassette([{ text: 'Here:\n```json\n{"lines":3}\n```' }]),
      "s.json": JSON.stringify(SCHEMA),
    });
    const args = ["run", "x", "--model", "replay:c.jsonl", "--output-schema", "s.json"];
    expect((await runToycoder(args, { cwd: folder.root })).stdout).toBe('{"lines":3}\n');
  });
});
