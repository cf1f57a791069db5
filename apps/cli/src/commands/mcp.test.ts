import { once } from "node:events";
import { existsSync } from "node:fs";
import type { RunResult } from "@toycoder/agent";
import type { McpServerReport } from "@toycoder/mcp";
import { tempWorkspace } from "@toycoder/testing";
import { describe, expect, it } from "vitest";
import { cassette, SAFE_TOOLS } from "../test-support/cassette.ts";
import { faultyServer } from "../test-support/mcp-servers.ts";
import { processesWith } from "../test-support/processes.ts";
import { runToycoder, startToycoder } from "../test-support/run-toycoder.ts";

const config = (mcpServers: object, more: object = {}): Record<string, string> => ({
  "toycoder.config.json": JSON.stringify({ mcpServers, ...more }),
});
const ONLY_ECHO = { include: ["echo"] };

async function appears(mark: string): Promise<void> {
  while (processesWith(mark).length === 0) await new Promise((resolve) => setTimeout(resolve, 5));
}

describe("toycoder mcp", () => {
  it("lists servers with their state, tools, levels and what was left out", async () => {
    const good = faultyServer();
    const bad = faultyServer("--exit-at-start=3");
    const odd = faultyServer("--odd");
    using folder = tempWorkspace(
      config({
        good: { ...good.entry, include: ["echo", "sum"], tools: { sum: "safe" } },
        bad: { ...bad.entry, required: true },
        odd: { ...odd.entry, include: ["no_schema", "external_ref"] },
        off: { command: "x", disabled: true },
      }),
    );
    const { code, stdout, stderr } = await runToycoder(["mcp", "list"], { cwd: folder.root });
    expect([code, stderr]).toEqual([0, ""]);
    expect(stdout).toMatch(/^good: faulty 1\.2\.3, stdio, 2 tools, \d+ ms\n/);
    expect(stdout).toContain("  good__echo  sensitive\n  good__sum   safe\n");
    expect(stdout).toContain("bad (required): failed: it ended before it was ready: exit code 3");
    expect(stdout).toContain("odd__no_schema  sensitive  it has no inputSchema: it takes any object");
    expect(stdout).toContain("left out: external_ref: its inputSchema cannot be used");
    expect(stdout).toContain("off: disabled\n");
    const json = await runToycoder(["mcp", "list", "--json"], { cwd: folder.root });
    const reports = JSON.parse(json.stdout) as McpServerReport[];
    expect(reports.map(({ server, state }) => `${server} ${state}`)).toEqual([
      "good ready",
      "bad failed",
      "odd ready",
      "off disabled",
    ]);
    for (const { mark } of [good, bad, odd]) expect(processesWith(mark)).toEqual([]);
  });

  it("tests one server, or all: 9 where one does not come up", async () => {
    const good = faultyServer();
    const bad = faultyServer("--exit-at-start=3");
    using folder = tempWorkspace(config({ good: good.entry, bad: bad.entry }));
    const codes = [];
    for (const words of [["good"], ["bad"], [], ["goo"]])
      codes.push((await runToycoder(["mcp", "test", ...words], { cwd: folder.root })).code);
    expect(codes).toEqual([0, 9, 9, 2]);
  });

  it("calls a server's tool under the policy", async () => {
    const { entry } = faultyServer();
    using folder = tempWorkspace(config({ a: entry }));
    const call = (...words: string[]) => runToycoder(["mcp", "call", "a", ...words], { cwd: folder.root });
    const refused = await call("echo", '{"text":"hi"}');
    expect([refused.code, refused.stdout]).toEqual([6, ""]);
    expect(refused.stderr).toContain("a__echo");
    expect(await call("echo", '{"text":"hi"}', "--allow", "mcp:a/e*")).toMatchObject({
      code: 0,
      stdout: "hi\n",
    });
    expect(await call("error", "{}", "--yes")).toMatchObject({ code: 9 });
    expect(await call("ecko", "{}")).toMatchObject({ code: 2 });
  });

  it("says so where there are no servers", async () => {
    using folder = tempWorkspace({});
    expect(await runToycoder(["mcp"], { cwd: folder.root })).toMatchObject({
      code: 0,
      stdout: "the config has no mcpServers\n",
    });
    expect(await runToycoder(["mcp", "test", "x"], { cwd: folder.root })).toMatchObject({ code: 2 });
  });
});

describe("a run with MCP servers", () => {
  it("uses two servers and a built-in tool, one of the servers killed half-way", async () => {
    const one = faultyServer();
    const two = faultyServer("--ignore-end", "--grandchildren");
    const turns = [
      { calls: [{ name: "one__echo", arguments: { text: "first" } }] },
      { calls: [{ name: "list_dir", arguments: {} }] },
      { calls: [{ name: "two__echo", arguments: { text: "second" } }] },
      { calls: [{ name: "two__kill", arguments: {} }] },
      { calls: [{ name: "two__echo", arguments: { text: "third" } }] },
      { text: "done" },
    ];
    const offered = [...SAFE_TOOLS, "one__echo", "two__echo", "two__kill"].toSorted();
    using folder = tempWorkspace({
      "c.jsonl": await cassette(turns, offered),
      ...config({
        one: { ...one.entry, ...ONLY_ECHO },
        two: { ...two.entry, include: ["echo", "kill"] },
      }),
    });
    const args = ["run", "x", "--model", "replay:c.jsonl", "--allow", "mcp:*/*", "--output", "stream-json"];
    const { code, stdout, stderr } = await runToycoder([...args, "--log", "log.jsonl"], { cwd: folder.root });
    expect([code, stderr]).toEqual([0, ""]);
    const events = stdout
      .trim()
      .split("\n")
      .map((line) => JSON.parse(line) as Record<string, unknown>);
    const results = events.filter(({ type }) => type === "tool_result");
    expect(results.map(({ name, ok, code }) => [name, ok, code])).toEqual([
      ["one__echo", true, undefined],
      ["list_dir", true, undefined],
      ["two__echo", true, undefined],
      ["two__kill", false, "server_ended"],
      ["two__echo", true, undefined],
    ]);
    expect(JSON.stringify(results.at(-1))).toContain("third");
    expect(events.filter(({ code }) => code === "status").map(({ message }) => message)).toEqual(
      expect.arrayContaining([expect.stringMatching(/^mcp two: faulty 1\.2\.3, stdio, 2 tools/)]),
    );
    for (const { mark } of [one, two]) expect(processesWith(mark)).toEqual([]);
  });

  it("does not begin without a required server: exit code 8", async () => {
    const bad = faultyServer("--silent-start", "--ignore-end");
    using folder = tempWorkspace({
      "c.jsonl": await cassette([{ text: "never" }]),
      ...config({ bad: { ...bad.entry, required: true, startSeconds: 0.3 } }),
    });
    const args = ["run", "x", "--model", "replay:c.jsonl", "--output", "json"];
    const { code, stdout } = await runToycoder(args, { cwd: folder.root });
    const result = JSON.parse(stdout) as RunResult;
    expect([code, result.status, result.error?.code]).toEqual([8, "mcp_error", "mcp_required"]);
    expect(result.error?.message).toContain("bad did not come up: it was not ready within 0.3 s");
    expect(processesWith(bad.mark)).toEqual([]);
  });

  it("goes on without one that is not, and takes rules for its tools", async () => {
    const bad = faultyServer("--exit-at-start=1");
    using folder = tempWorkspace({
      "c.jsonl": await cassette([{ text: "done" }]),
      ...config(
        { bad: bad.entry },
        { permissions: { allow: ["bad__search"] }, tools: { disable: ["bad__other"] } },
      ),
    });
    const args = ["run", "x", "--model", "replay:c.jsonl", "--output", "stream-json"];
    const { code, stdout } = await runToycoder(args, { cwd: folder.root });
    expect(code).toBe(0);
    expect(stdout).toContain("mcp bad: failed: it ended before it was ready: exit code 1; its last words");
  });

  it.each([
    ["SIGINT", 130],
    ["SIGTERM", 143],
  ] as const)("%s during a server's start ends it with %i and leaves nothing", async (signal, code) => {
    const slow = faultyServer("--silent-start", "--ignore-end", "--grandchildren");
    using folder = tempWorkspace({
      "c.jsonl": await cassette([{ text: "never" }]),
      ...config({ slow: { ...slow.entry, required: true } }),
    });
    const { child, done } = startToycoder(["run", "x", "--model", "replay:c.jsonl"], { cwd: folder.root });
    await appears(slow.mark);
    child.kill(signal);
    expect((await done).code).toBe(code);
    expect(processesWith(slow.mark)).toEqual([]);
  });

  it("a signal during a call tells the server that the call is off", async () => {
    using folder = tempWorkspace({});
    const { entry, mark } = faultyServer(`--notes=${folder.path("notes")}`);
    folder.write(
      "toycoder.config.json",
      JSON.stringify({ mcpServers: { a: { ...entry, include: ["silent"] } } }),
    );
    const turns = [{ calls: [{ name: "a__silent", arguments: {} }] }, { text: "never" }];
    folder.write("c.jsonl", await cassette(turns, [...SAFE_TOOLS, "a__silent"].toSorted()));
    const args = ["run", "x", "--model", "replay:c.jsonl", "--allow", "mcp:a/*"];
    const { child, done } = startToycoder(args, { cwd: folder.root });
    const noted = (): string => (existsSync(folder.path("notes")) ? folder.read("notes") : "");
    while (!noted().includes("call silent")) await new Promise((resolve) => setTimeout(resolve, 5));
    child.kill("SIGINT");
    expect((await done).code).toBe(130);
    expect(noted()).toContain("cancelled");
    expect(processesWith(mark)).toEqual([]);
  });

  it("a second signal ends it at once, its servers too", async () => {
    const slow = faultyServer("--silent-start", "--ignore-end", "--grandchildren");
    using folder = tempWorkspace({
      "c.jsonl": await cassette([{ text: "never" }]),
      ...config({ slow: slow.entry }),
    });
    const { child } = startToycoder(["run", "x", "--model", "replay:c.jsonl"], { cwd: folder.root });
    await appears(slow.mark);
    const exited = once(child, "exit");
    child.kill("SIGINT");
    child.kill("SIGTERM");
    expect(await exited).toEqual([expect.toBeOneOf([130, 143]), null]);
    // Who has got KILL may take a moment to go.
    while (processesWith(slow.mark).length > 0) await new Promise((resolve) => setTimeout(resolve, 5));
  });

  it("writes what servers say into the log, without secrets", async () => {
    const { entry } = faultyServer("--banner", "--exit-at-start=1");
    using folder = tempWorkspace({
      "c.jsonl": await cassette([{ text: "done" }]),
      ...config({ a: { ...entry, args: [...entry.args], env: { T: "${MY_TOKEN}" } } }),
    });
    const args = ["run", "x", "--model", "replay:c.jsonl", "--log", "log.jsonl"];
    await runToycoder(args, { cwd: folder.root, env: { MY_TOKEN: "licence" } });
    const log = folder.read("log.jsonl");
    expect(log).toContain(
      '"type":"mcp","server":"a","stream":"stdout","text":"Welcome to the faulty server!',
    );
    expect(log).toContain('"stream":"stderr"');
    expect(log).not.toContain("licence");
  });
});

describe("toycoder check", () => {
  it("starts servers with --connect, or for a policy test, and not otherwise", async () => {
    const { entry } = faultyServer();
    const server = { a: { ...entry, ...ONLY_ECHO } };
    using plain = tempWorkspace(config(server));
    expect((await runToycoder(["check"], { cwd: plain.root })).stdout).toContain("stdio, not started");
    expect((await runToycoder(["check", "--connect"], { cwd: plain.root })).stdout).toMatch(
      /mcp a +faulty 1\.2\.3/,
    );
    using tested = tempWorkspace(
      config(server, { permissions: { tests: [["a__echo", { text: "x" }, "ask"]] } }),
    );
    expect(await runToycoder(["check"], { cwd: tested.root })).toMatchObject({ code: 0 });
  });

  it("takes a rule that names no tool of a server that is up for a mistake", async () => {
    const { entry } = faultyServer();
    using folder = tempWorkspace(config({ a: entry }, { permissions: { allow: ["a__ecko"] } }));
    const { code, stderr } = await runToycoder(["check", "--connect"], { cwd: folder.root });
    expect([code, stderr]).toEqual([3, expect.stringContaining("did you mean a__echo")]);
  });
});
