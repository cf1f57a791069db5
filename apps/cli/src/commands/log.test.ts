import { execFileSync } from "node:child_process";
import { once } from "node:events";
import { chmodSync, existsSync, statSync } from "node:fs";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import type { RunResult } from "@toycoder/agent";
import { tempWorkspace } from "@toycoder/testing";
import { describe, expect, it } from "vitest";
import type { Answer } from "../test-support/answer.ts";
import { cassette } from "../test-support/cassette.ts";
import { modelServer } from "../test-support/model-server.ts";
import { runToycoder, startToycoder } from "../test-support/run-toycoder.ts";

/** Its quote is written \" in JSON, and \\\" in a call's arguments. */
const TOKEN = 'tok"en-7f3a91';
const KEYS = {
  OPENAI_API_KEY: "sk-test-77aa88bb",
  ANTHROPIC_API_KEY: "sk-ant-77aa88bb",
  DEPLOY: TOKEN,
  HEADER: "h-5c5c5c5c",
};

const TASK: readonly Answer[] = [
  { calls: [{ name: "read_file", arguments: { path: "secret.txt" } }] },
  { calls: [{ name: "write_file", arguments: { path: "b.txt", content: `${TOKEN} ${KEYS.HEADER}` } }] },
  { text: "Done." },
];

const TURN = ["turn_start", "request", "response", "response_end", "usage"];
const CALL = ["tool_start", "tool_end", "turn_end"];
/** The lines of the task. */
const TYPES = "log_start phase phase session_start notice".split(" ").concat(
  TURN, CALL, TURN, CALL, TURN, "turn_end", "result",
); // prettier-ignore

interface Line {
  v: number;
  at: string;
  type: string;
  [key: string]: unknown;
}
const parse = (text: string): Line[] =>
  text
    .trimEnd()
    .split("\n")
    .map((line) => JSON.parse(line) as Line);

describe("--log", () => {
  it.each(["openai:m", "openai-chat:m", "anthropic:m"])(
    "over %s tells everything but secrets",
    async (model) => {
      await using server = await modelServer(TASK);
      const base = model.startsWith("anthropic") ? server.url : `${server.url}/v1`;
      const [provider, name] = model.split(":");
      const config = {
        model: {
          provider,
          model: name,
          baseURL: base,
          headers: { "x-team": "${HEADER}", "x-literal": "literal-1234567" },
        },
        credentials: { deploy: "DEPLOY" },
        permissions: { allow: ["plugin:files"] },
      };
      using folder = tempWorkspace({
        "toycoder.config.json": JSON.stringify(config),
        "secret.txt": `the token ${TOKEN}, a header literal-1234567\nthe key ${KEYS.OPENAI_API_KEY} ${KEYS.ANTHROPIC_API_KEY}\n`,
      });
      const args = ["run", `Use ${TOKEN}.`, "--log", "run.log", "--output", "json"];
      const { code, stdout } = await runToycoder(args, { cwd: folder.root, env: KEYS });
      expect(code).toBe(0);
      const text = folder.read("run.log");
      for (const secret of [...Object.values(KEYS), "literal-1234567", String.raw`tok\"en`, "en-7f3a91"])
        expect(text).not.toContain(secret);
      expect(text).toContain("[credential DEPLOY]");
      expect(statSync(folder.path("run.log")).mode & 0o777).toBe(0o600);

      const lines = parse(text);
      const { sessionId } = JSON.parse(stdout) as RunResult;
      expect(lines.map(({ type }) => type)).toEqual(TYPES);
      const find = (type: string): Line => lines.find((line) => line.type === type)!;
      expect(find("session_start")).toMatchObject({ sessionId, model });
      expect(find("request")).toMatchObject({
        method: "POST",
        url: expect.stringMatching(/^http:\/\/127\.0\.0\.1:\d+\/v1\//) as string,
        headers: { "content-type": "application/json", "x-team": "[removed]", "x-literal": "[removed]" },
        body: { model: "m", stream: true },
      });
      const headers = find("request")["headers"] as Record<string, string>;
      expect(headers["authorization"] ?? headers["x-api-key"]).toBe("[removed]");
      expect(find("response")).toMatchObject({
        id: 1,
        status: 200,
        headers: { "content-type": "text/event-stream" },
      });
      const end = find("response_end");
      expect(end).toMatchObject({ id: 1, outcome: expect.stringMatching(/^(?:complete|left)$/) as string });
      expect(end["bytes"]).toBeGreaterThan(100);
      expect(end).not.toHaveProperty("body");
      expect(find("tool_start")).toMatchObject({ tool: "read_file", decision: "allow" });
      expect(find("tool_end")).toMatchObject({
        tool: "read_file",
        ok: true,
        durationMs: expect.any(Number) as number,
      });
      expect(lines.at(-1)).toMatchObject({ type: "result", status: "completed", exitCode: 0 });
    },
  );

  it("has an error's body and the retries", async () => {
    await using server = await modelServer([], { status: 400 });
    using folder = tempWorkspace();
    const args = ["run", "x", "--model", "openai:m", "--base-url", `${server.url}/v1`, "--log", "run.log"];
    const { code } = await runToycoder(args, { cwd: folder.root, env: KEYS });
    expect(code).toBe(4);
    const lines = parse(folder.read("run.log"));
    const end = lines.find(({ type }) => type === "response_end");
    expect(end?.["body"]).toContain("not like that");
    expect(lines.at(-1)).toMatchObject({ type: "result", status: "provider_error" });

    const refused = [
      "run",
      "x",
      "--model",
      "openai:m",
      "--base-url",
      "http://127.0.0.1:9/v1",
      "--log",
      "b.log",
    ];
    expect((await runToycoder(refused, { cwd: folder.root, env: KEYS })).code).toBe(4);
    const types = parse(folder.read("b.log")).map(({ type }) => type);
    expect(types.filter((type) => type === "request_failed").length).toBe(
      types.filter((type) => type === "request").length,
    );
    expect(types).toContain("retry");
  }, 40_000);

  it("appends, and closes a file that others could read", async () => {
    using folder = tempWorkspace({ "c.jsonl": await cassette([{ text: "Done." }]), "run.log": "{}\n" });
    chmodSync(folder.path("run.log"), 0o644);
    const args = ["run", "x", "--model", "replay:c.jsonl", "--log", "run.log"];
    for (const _ of [1, 2]) expect((await runToycoder(args, { cwd: folder.root })).code).toBe(0);
    const types = parse(folder.read("run.log")).map(({ type }) => type);
    expect(types.filter((type) => type === "log_start")).toHaveLength(2);
    expect(types.filter((type) => type === "result")).toHaveLength(2);
    expect(statSync(folder.path("run.log")).mode & 0o777).toBe(0o600);
  });

  it("leaves whole lines when the process is killed", async () => {
    // Takes the request and never answers.
    const server = createServer().listen(0, "127.0.0.1");
    await once(server, "listening");
    using folder = tempWorkspace();
    const base = `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1`;
    const args = ["run", "x", "--model", "openai-compatible:m", "--base-url", base, "--log", "run.log"];
    const { child, done } = startToycoder(args, { cwd: folder.root });
    await once(server, "request");
    child.kill("SIGKILL");
    await done;
    server.closeAllConnections();
    server.close();
    const text = folder.read("run.log");
    expect(text.endsWith("\n")).toBe(true);
    expect(parse(text).at(-1)).toMatchObject({ type: "request", id: 1, method: "POST" });
  });

  it.each(["absent/run.log", ".", "fifo"])("to %s is a usage error at the start", async (file) => {
    using folder = tempWorkspace({ "c.jsonl": await cassette([{ text: "never" }]) });
    execFileSync("mkfifo", [folder.path("fifo")]);
    const args = ["run", "x", "--model", "replay:c.jsonl", "--output", "json", "--log", file];
    const { code, stdout, stderr } = await runToycoder(args, { cwd: folder.root });
    expect({ code, stdout }).toEqual({ code: 2, stdout: "" });
    expect(stderr).toContain(`--log ${file}: `);
    expect(existsSync(folder.path(".state/sessions"))).toBe(false);
  });

  it("on a full disk tells it once, and the run goes on", async () => {
    using folder = tempWorkspace({ "c.jsonl": await cassette([{ text: "Done." }]) });
    const args = ["run", "x", "--model", "replay:c.jsonl", "--log", "/dev/full", "--output", "stream-json"];
    const { code, stdout } = await runToycoder(args, { cwd: folder.root });
    expect(code).toBe(0);
    const lines = parse(stdout);
    expect(lines.filter((line) => line["code"] === "log_failed")).toHaveLength(1);
    expect(lines.at(-1)).toMatchObject({ type: "result", result: { status: "completed" } });
  });
});
