import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import type { RunResult } from "@toycoder/agent";
import { tempWorkspace } from "@toycoder/testing";
import { Ajv2020 } from "ajv/dist/2020.js";
import { expect, it } from "vitest";
import type { Answer } from "../test-support/answer.ts";
import { modelServer } from "../test-support/model-server.ts";
import { type Finished, type Options, runToycoder } from "../test-support/run-toycoder.ts";

const KEY = "sk-test-key-123";
const CREDENTIAL = 'cred "quoted" \\ 456';
const HEADER = "header-secret-789";
const ENV = { OPENAI_API_KEY: KEY, DB_PASSWORD: CREDENTIAL, GATEWAY_TOKEN: HEADER };

const config = (url: string): string =>
  JSON.stringify({
    model: {
      provider: "openai",
      model: "m",
      baseURL: `${url}/v1`,
      headers: { "x-gateway": "Bearer ${GATEWAY_TOKEN}" },
      prices: { input: 2, output: 10 },
    },
    credentials: { database: "DB_PASSWORD" },
    permissions: { allow: ["plugin:files"] },
  });

const ANSWERS: readonly Answer[] = [
  {
    text: `I know ${KEY} and ${HEADER}.`,
    calls: [
      { name: "read_file", arguments: { path: "a.txt" } },
      { name: "write_file", arguments: { path: "b.txt", content: `x ${CREDENTIAL} ${KEY} y` } },
    ],
  },
  { calls: [{ name: "read_file", arguments: { path: "missing.txt" } }] },
  { text: "Done." },
];

const lines = (text: string): unknown[] =>
  text
    .trim()
    .split("\n")
    .map((line) => JSON.parse(line) as unknown);

async function run(args: readonly string[], options: Options): Promise<Finished & { result: RunResult }> {
  const finished = await runToycoder(["run", "Do it.", "--output", "json", ...args], options);
  return { ...finished, result: JSON.parse(finished.stdout) as RunResult };
}

/** A workspace in which a run was recorded as `c.jsonl`, its config still there for the replays. */
async function recorded() {
  await using server = await modelServer(ANSWERS);
  const folder = tempWorkspace({ "a.txt": "one\n", "toycoder.config.json": config(server.url) });
  const { result, stderr } = await run(["--record", "c.jsonl"], { cwd: folder.root, env: ENV });
  expect([result.status, stderr]).toEqual(["completed", ""]);
  return { folder, result };
}

const PLAY = ["--model", "replay:c.jsonl"];

it("records what the schema says, without a secret, and plays it at its cost", async () => {
  const { folder, result } = await recorded();
  using _ = folder;
  const cassette = folder.read("c.jsonl");
  for (const secret of ["test-key", "quoted", "header-secret"]) expect(cassette).not.toContain(secret);
  expect(cassette).toContain("[credential OPENAI_API_KEY]");
  expect(cassette).toContain("[credential DB_PASSWORD]");

  const file = createRequire(import.meta.url).resolve(
    "@toycoder/provider-replay/schemas/cassette-line.schema.json",
  );
  const schema = JSON.parse(readFileSync(file, "utf8")) as object;
  const valid = new Ajv2020({ strict: false, validateFormats: false }).compile(schema);
  const session = folder.read(`.state/sessions/${result.sessionId}/events.jsonl`);
  for (const line of [...lines(cassette), ...lines(session)]) {
    expect([line, valid(line), valid.errors]).toEqual([line, true, null]);
  }

  expect(result.usage.costUsd).toBeCloseTo((3 * (100 * 2 + 10 * 10)) / 1_000_000, 12);
  const again = await run(PLAY, { cwd: folder.root, env: { GATEWAY_TOKEN: HEADER } });
  expect(again.result).toMatchObject({ status: "completed", text: "Done.", usage: result.usage });
});

it("plays a session's file as it is", async () => {
  const { folder, result } = await recorded();
  using _ = folder;
  const session = `.state/sessions/${result.sessionId}/events.jsonl`;
  const options = { cwd: folder.root, env: { GATEWAY_TOKEN: HEADER, TOYCODER_STATE_DIR: folder.path("s2") } };
  const again = await run(["--model", `replay:${session}`], options);
  expect(again.result).toMatchObject({ status: "completed", text: "Done." });
});

it("shows where a run departs, in 80 columns, and ends with exit code 3", async () => {
  const { folder } = await recorded();
  using _ = folder;
  folder.write("missing.txt", "it is there now\n");
  const finished = await runToycoder(["run", "Do it.", ...PLAY], {
    cwd: folder.root,
    env: { GATEWAY_TOKEN: HEADER },
  });
  expect(finished.code).toBe(3);
  expect(finished.stderr.replaceAll(folder.root, "")).toContain(
    [
      "  the run departs from its cassette in turn 2: call 1 came out otherwise",
      "    /c.jsonl",
      "    line 13  read_file → not_found",
      "    now      read_file → ok ([missing.txt · lines 1-1 of 1])",
    ].join("\n"),
  );
});

it("goes on with --replay-loose, and tells each departure", async () => {
  const { folder } = await recorded();
  using _ = folder;
  folder.write("missing.txt", "it is there now\n");
  const finished = await runToycoder(
    ["run", "Do it.", ...PLAY, "--replay-loose", "--enable", "run_command", "--output", "stream-json"],
    { cwd: folder.root, env: { GATEWAY_TOKEN: HEADER } },
  );
  const events = lines(finished.stdout) as Record<string, unknown>[];
  expect(finished.code).toBe(0);
  const told = events.filter(({ code }) => code === "replay_departure").map(({ message }) => String(message));
  expect(told.map((message) => message.split("\n")[0])).toEqual([
    "the run departs from its cassette in turn 1: the tools are offered with",
    "the run departs from its cassette in turn 2: the tools are offered with",
    "the run departs from its cassette in turn 2: call 1 came out otherwise",
    "the run departs from its cassette in turn 3: the tools are offered with",
  ]);
});

it("wants a cassette for --replay-loose", async () => {
  using folder = tempWorkspace();
  const finished = await runToycoder(["run", "x", "--model", "openai:m", "--replay-loose"], {
    cwd: folder.root,
    env: ENV,
  });
  expect(finished).toMatchObject({ code: 2 });
  expect(finished.stderr).toContain("--replay-loose needs a cassette to play");
});
