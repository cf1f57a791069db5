import { once } from "node:events";
import { readdirSync, readFileSync } from "node:fs";
import { setTimeout as pause } from "node:timers/promises";
import { type AgentEvent, EVENTS, readSessionFile } from "@toycoder/agent";
import { type TempWorkspace, tempWorkspace } from "@toycoder/testing";
import { describe, expect, it } from "vitest";
import { carefulModel, type Wish } from "../test-support/careful-model.ts";
import { type ModelServer, modelServer } from "../test-support/model-server.ts";
import { type Finished, runToycoder, startToycoder } from "../test-support/run-toycoder.ts";

const RUNS = process.env["TOYCODER_SOAK"] === "1" ? 100 : 8;
const TURNS = 30;

const CONFIG = `import { defineConfig } from "toycoder";
export default defineConfig({ plugins: ["files", "./append.ts"], permissions: { allow: ["write_file", "edit_file"] } });
`;
/** A tool that must not run twice: it leaves its call's id behind. */
const APPEND = `import { appendFileSync } from "node:fs";
import { defineTool, definePlugin, jsonSchema, type PluginParts } from "@toycoder/core";
const append = defineTool({
  name: "append_line",
  description: "Appends a line to log.txt.",
  concurrency: "exclusive",
  input: jsonSchema<{ line: string }>({
    type: "object",
    properties: { line: { type: "string", description: "The line." } },
    required: ["line"],
  }),
  execute: ({ line }, { callId, workspace }) => {
    appendFileSync(workspace.root + "/calls.txt", callId + "\\n");
    appendFileSync(workspace.root + "/log.txt", line + "\\n");
    return "appended";
  },
});
export default definePlugin({ name: "append", version: "1.0.0", api: 1, setup: (): PluginParts => ({ tools: [append] }) });
`;

const numbers = Array.from({ length: TURNS }, (_, index) => index + 1);
const base = numbers.map((n) => `line ${n};\n`).join("");

function wishesOf(n: number): Wish[] {
  const append = {
    name: "append_line",
    arguments: { line: `did ${n};` },
    evidence: { path: "log.txt", holds: `did ${n};` },
  };
  const file = `out/${n % 4}/f${n}.txt`;
  const write = {
    name: "write_file",
    arguments: { path: file, content: `file ${n}\n` },
    evidence: { path: file, holds: `file ${n}` },
  };
  const edit = {
    name: "edit_file",
    arguments: { path: "base.txt", old_string: `line ${n};`, new_string: `LINE ${n};` },
    evidence: { path: "base.txt", holds: `LINE ${n};` },
  };
  return [[append], [write], [edit, append], [write, edit]][n % 4] ?? [];
}

const workspace = (): TempWorkspace =>
  tempWorkspace({ "toycoder.config.ts": CONFIG, "append.ts": APPEND, "base.txt": base });

const start = (folder: TempWorkspace, { url }: ModelServer, ...args: readonly string[]) =>
  startToycoder(
    ["run", ...args, "--model", "openai-compatible:m", "--base-url", `${url}/v1`, "--output", "stream-json"],
    {
      cwd: folder.root,
    },
  );

/** Every file that the model works on, by name. */
function filesOf(folder: TempWorkspace): Record<string, string> {
  const names = readdirSync(folder.root, { recursive: true, encoding: "utf8" });
  const meant = names.filter(
    (name) => /^(?:base|log)\.txt$|^out\//.test(name) && /\.(?:txt|tmp)$/.test(name),
  );
  return Object.fromEntries(meant.toSorted().map((name) => [name, folder.read(name)]));
}

function sessionEvents(folder: TempWorkspace): AgentEvent[] {
  const ids = readdirSync(folder.path(".state/sessions")).filter((name) => !name.startsWith("."));
  expect(ids).toHaveLength(1);
  return readSessionFile(folder.path(`.state/sessions/${ids[0]}/${EVENTS}`)).events;
}

/** Mulberry32: the same numbers for the same seed, from 0 to 1. */
function random(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let t = Math.imul(state ^ (state >>> 15), 1 | state);
    t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t;
    return ((t ^ (t >>> 14)) >>> 0) / 4_294_967_296;
  };
}

/** Lets a run print so many bytes and then go on for a moment, and kills it, if it has not ended. */
async function killed(
  { child, done }: ReturnType<typeof startToycoder>,
  bytes: number,
  ms: number,
): Promise<Finished> {
  let seen = 0;
  const enough = new Promise<void>((resolve) => {
    child.stdout?.on("data", (data: Buffer) => {
      if ((seen += data.length) >= bytes) resolve();
    });
  });
  await Promise.race([enough, once(child, "exit")]);
  await pause(ms);
  child.kill("SIGKILL");
  return await done;
}

describe(`a run of ${TURNS} turns that is killed`, () => {
  it(`goes on to the same end, ${RUNS} times`, { timeout: 1_800_000 }, async () => {
    await using server = await modelServer(carefulModel(numbers.map(wishesOf)));
    using undisturbed = workspace();
    const whole = await start(undisturbed, server, "Do it.").done;
    expect(whole.code).toBe(0);
    const wanted = filesOf(undisturbed);
    expect(Object.keys(wanted)).toHaveLength(17);
    let uncertain = 0;

    for (let run = 1; run <= RUNS; run++) {
      const next = random(run);
      using folder = workspace();
      const moment = (): [bytes: number, ms: number] => [next() * whole.stdout.length, next() * 8];
      let ended = await killed(start(folder, server, "Do it."), ...moment());
      for (let again = Math.floor(next() * 3); again > 0; again--)
        ended = await killed(start(folder, server, "--resume", "last"), ...moment());
      if (ended.signal === "SIGKILL") ended = await start(folder, server, "--resume", "last").done;
      // Killed before there was a session, or before it had its task; or killed when all was done.
      if (ended.code === 3) ended = await start(folder, server, "Do it.").done;
      if (ended.code === 2) ended = await start(folder, server, "--resume", "last", "Do it.").done;
      expect([run, ended.code, ended.stderr]).toEqual([run, 0, expect.any(String)]);

      expect(filesOf(folder)).toEqual(wanted);
      const calls = readFileSync(folder.path("calls.txt"), "utf8").trim().split("\n");
      expect(new Set(calls).size).toBe(calls.length);
      const events = sessionEvents(folder);
      const results = events.flatMap((event) => (event.type === "tool_result" ? [event] : []));
      // A call that was made once more was uncertain before.
      const unsure = results.filter(({ code }) => code === "uncertain").map(({ callId }) => callId);
      uncertain += unsure.length;
      const lines = folder.read("log.txt").trim().split("\n");
      expect(calls.length - lines.length).toBeLessThanOrEqual(unsure.length);
      expect(new Set(results.map(({ callId }) => callId)).size).toBe(results.length);
      if (unsure.length > 0) continue;
      const undo = await runToycoder(["undo"], { cwd: folder.root });
      expect([run, undo.code, undo.stderr]).toEqual([run, 0, expect.any(String)]);
      expect(filesOf(folder)).toEqual({ "base.txt": base, "log.txt": wanted["log.txt"] });
    }
    if (RUNS >= 100) expect(uncertain).toBeGreaterThan(0);
  });
});
