import { expect, test } from "vitest";
import { createWorkspace } from "@toycoder/core";
import { McpServers } from "./mcp-servers.ts";
import {
  type Faulty,
  faulty,
  type Opened,
  openServers,
  processesWith,
  temporaryFolder,
  until,
} from "./test-support/open-servers.ts";

const CLIENT = { name: "test", version: "0" };

/** Opens one server, lets a test use it, closes it, and holds it to having left nothing behind. */
async function withServer(server: Faulty, use: (opened: Opened) => Promise<void>): Promise<void> {
  {
    await using opened = await openServers({ faulty: server.config });
    await use(opened);
  }
  expect(processesWith(server.mark)).toEqual([]);
}

const starts = ({ notes }: Faulty): number => notes().filter((note) => note.startsWith("start")).length;
const calls = ({ notes }: Faulty, tool: string): number =>
  notes().filter((note) => note === `call ${tool}`).length;

test.each([
  ["exits", "exit", "exit code 3"],
  ["is killed", "kill", "signal SIGKILL"],
  ["closes stdout", "close_stdout", "the end of its output"],
  ["writes half a message", "half", "exit code 0"],
])("a server that %s fails its call at once, and is there again for the next", async (_, tool, how) => {
  const server = faulty();
  await withServer(server, async ({ call, say }) => {
    const pending = call("faulty__silent");
    await until(() => calls(server, "silent") === 1);
    for (const result of await Promise.all([call(`faulty__${tool}`), pending])) {
      expect(result).toMatchObject({ ok: false, error: { code: "server_ended" } });
      expect(result.ok ? "" : result.error.message).toContain(how);
    }
    expect(await say("faulty__echo", { text: "back" })).toBe("back");
    expect(starts(server)).toBe(2);
    expect([calls(server, tool), calls(server, "silent")]).toEqual([1, 1]);
  });
});

test("a server that always dies is started anew five times and no more", async () => {
  const server = faulty();
  await withServer(server, async ({ call }) => {
    for (let round = 0; round < 6; round++) await call("faulty__exit");
    const last = await call("faulty__exit");
    expect(last).toMatchObject({ ok: false, error: { code: "server_unavailable" } });
    expect(starts(server)).toBe(6);
  });
});

test("a banner and garbage on stdout are passed over and told", async () => {
  await withServer(faulty(["--banner"]), async ({ say, lines }) => {
    expect(await say("faulty__garbage")).toBe("after garbage");
    const stdout = lines.filter(({ stream }) => stream === "stdout").map(({ text }) => text);
    expect(stdout).toEqual(expect.arrayContaining(["Welcome to the faulty server!\n", "<html>\n", "42\n"]));
  });
});

test("a server that exits at its start has failed, with its last words", async () => {
  await withServer(faulty(["--exit-at-start=7"]), async ({ servers, registry }) => {
    const [report] = servers.reports();
    expect(report).toMatchObject({ state: "failed", tools: [] });
    expect(report?.error?.message).toContain("exit code 7; its last words: no licence found");
    expect(registry.list()).toEqual([]);
  });
});

test("a server that is silent at its start is given up at its limit and killed", async () => {
  await withServer(faulty(["--silent-start", "--ignore-end"], { startSeconds: 0.3 }), async ({ servers }) => {
    expect(servers.reports()[0]?.error?.message).toBe("it was not ready within 0.3 s");
  });
});

test("a required server that fails stops the start, and the others are ended", async () => {
  const good = faulty();
  const bad = faulty(["--exit-at-start=1"], { required: true });
  await expect(openServers({ good: good.config, bad: bad.config })).rejects.toMatchObject({
    code: "mcp_required",
    message: expect.stringContaining("the required MCP server bad did not come up") as string,
  });
  expect(processesWith(good.mark)).toEqual([]);
});

test("a command that does not exist is named", async () => {
  await using opened = await openServers({ gone: { command: "/no/such/command" } });
  expect(opened.servers.reports()[0]?.error).toMatchObject({
    message: 'the command "/no/such/command" was not found',
  });
});

test("a server that ignores the end of stdin and SIGTERM is killed", async () => {
  await withServer(faulty(["--ignore-end"]), async ({ say }) => {
    expect(await say("faulty__echo", { text: "a" })).toBe("a");
  });
});

test("grandchildren go too, also one in a session of its own, also after the server's own death", async () => {
  const server = faulty(["--grandchildren"]);
  await withServer(server, async ({ call }) => {
    await until(() => processesWith(server.mark).length === 3);
    await call("faulty__kill");
    expect(await call("faulty__echo", { text: "again" })).toMatchObject({ ok: true });
    await until(() => processesWith(server.mark).length === 3);
  });
});

test("a flood on stderr neither blocks the server nor is kept whole", async () => {
  await withServer(faulty([`--stderr-flood=${64 * 1024 * 1024}`]), async ({ say, lines }) => {
    expect(await say("faulty__echo", { text: "dry" })).toBe("dry");
    const kept = lines.reduce((sum, { text }) => sum + text.length, 0);
    expect(kept).toBeLessThan(2_000_000);
  });
});

test("closing while a server starts leaves nothing", async () => {
  const server = faulty(["--silent-start", "--ignore-end", "--grandchildren"]);
  const host = { workspace: createWorkspace({ root: temporaryFolder() }), env: process.env, client: CLIENT };
  const servers = new McpServers({ faulty: server.config }, host);
  const starting = servers.start();
  await until(() => processesWith(server.mark).length === 3);
  await servers.close();
  await starting;
  expect(servers.reports()[0]).toMatchObject({ state: "failed", error: { message: "it was stopped" } });
  expect(processesWith(server.mark)).toEqual([]);
});

test("silence is a timeout that the server is told of; progress renews the limit up to the maximum", async () => {
  const server = faulty([], { callSeconds: 0.4, maxCallSeconds: 1.5 });
  await withServer(server, async ({ call, say }) => {
    expect(await call("faulty__silent")).toMatchObject({ ok: false, error: { code: "timeout" } });
    await until(() => server.notes().some((note) => note.startsWith("cancelled")));
    expect(await say("faulty__progress", { steps: 8, ms: 100 })).toBe("done");
    expect(await call("faulty__progress", { steps: 100, ms: 100 })).toMatchObject({
      ok: false,
      error: { code: "timeout" },
    });
  });
});

test("cancelling a call tells the server", async () => {
  const server = faulty();
  await withServer(server, async ({ call }) => {
    const stop = new AbortController();
    const pending = call("faulty__silent", {}, { signal: stop.signal });
    await until(() => calls(server, "silent") === 1);
    stop.abort();
    expect(await pending).toMatchObject({ ok: false, error: { code: "cancelled" } });
    await until(() => server.notes().some((note) => note.startsWith("cancelled")));
  });
});

test("a changed list is there as soon as the call that changed it has its result", async () => {
  await withServer(faulty(), async ({ call, registry, say }) => {
    const echo = registry.get("faulty__echo");
    await call("faulty__change_list");
    expect(registry.list().map(({ name }) => name)).toEqual(["faulty__echo", "faulty__new_tool"]);
    expect(registry.get("faulty__echo")).toBe(echo);
    expect(registry.origin("faulty__new_tool")).toEqual({ mcp: "faulty/new_tool" });
    expect(await say("faulty__echo", { text: "still" })).toBe("still");
  });
});

test("a server whose list changes at each look is asked a bounded number of times", async () => {
  await withServer(faulty(["--restless"]), async ({ say }) => {
    expect(await say("faulty__echo", { text: "one" })).toBe("one");
    expect(await say("faulty__echo", { text: "two" })).toBe("two");
  });
});

test("the environment is what the config names, and the SDK's safe few", async () => {
  const server = faulty([], { env: { MINE: "1" } });
  const env = { ...process.env, SECRET_TOKEN: "s3cret" };
  await using opened = await openServers({ faulty: server.config }, { env });
  const seen = JSON.parse(await opened.say("faulty__env")) as Record<string, string>;
  expect(seen["MINE"]).toBe("1");
  expect(seen["PATH"]).toBe(process.env["PATH"]);
  const allowed = [
    "HOME",
    "LOGNAME",
    "MINE",
    "PATH",
    "SHELL",
    "TERM",
    "TOYCODER_CALL",
    "TOYCODER_SERVER",
    "USER",
  ];
  expect(Object.keys(seen).filter((name) => !allowed.includes(name))).toEqual([]);
});
