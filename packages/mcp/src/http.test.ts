import { createServer } from "node:http";
import { type AddressInfo, connect } from "node:net";
import { expect, test, vi } from "vitest";
import { openHttpServer } from "./test-support/http-server.ts";
import { openServers, until } from "./test-support/open-servers.ts";

const SUM = { a: 1, b: 2 };

test.each(["http", "sse"] as const)("a server over %s, with its token and headers", async (kind) => {
  await using server = await openHttpServer({ kind });
  const config = { url: server.url, bearerToken: "t0ken", headers: { "x-team": "blue" } };
  await using opened = await openServers({ web: config });
  expect(opened.servers.reports()[0]).toMatchObject({ state: "ready", transport: kind, name: "over-http" });
  expect(await opened.say("web__add", SUM)).toBe("3");
  const call = server.seen.find(({ message }) => message === "tools/call");
  expect(call?.headers).toMatchObject({ authorization: "Bearer t0ken", "x-team": "blue" });
});

test("closing ends the session at the server", async () => {
  await using server = await openHttpServer();
  {
    await using opened = await openServers({ web: { url: server.url } });
    await opened.say("web__add", SUM);
  }
  expect(server.seen.map(({ message }) => message)).toContain("DELETE");
});

test("a session that the server has forgotten is opened anew, once", async () => {
  await using server = await openHttpServer();
  await using opened = await openServers({ web: { url: server.url } });
  server.forget();
  expect(await opened.say("web__add", SUM)).toBe("3");
  expect(server.seen.filter(({ message }) => message === "initialize")).toHaveLength(2);
});

test("a call that always finds no session fails", async () => {
  await using server = await openHttpServer({
    fault: ({ message, answer }) => message === "tools/call" && (answer(404), true),
  });
  await using opened = await openServers({ web: { url: server.url } });
  expect(await opened.call("web__add", SUM)).toMatchObject({ ok: false });
  expect(server.seen.filter(({ message }) => message === "tools/call")).toHaveLength(2);
});

test.each([500, 502, 503])("a %i is asked again at the start", async (status) => {
  await using server = await openHttpServer({
    fault: ({ message, answer }, count) => message === "initialize" && count < 3 && (answer(status), true),
  });
  await using opened = await openServers({ web: { url: server.url } });
  expect(await opened.say("web__add", SUM)).toBe("3");
});

test("a broken connection is tried again at the start", async () => {
  await using server = await openHttpServer({
    fault: ({ message, reset }, count) => message === "tools/list" && count < 2 && (reset(), true),
  });
  await using opened = await openServers({ web: { url: server.url } });
  expect(await opened.say("web__add", SUM)).toBe("3");
});

test("a call is sent again where the server says that it has not begun, and only there", async () => {
  let status = 503;
  await using server = await openHttpServer({
    fault: ({ message, answer, reset }, count) => {
      if (message !== "tools/call" || count === 2) return false;
      if (status === 0) reset();
      else answer(status);
      return true;
    },
  });
  await using opened = await openServers({ web: { url: server.url } });
  expect(await opened.say("web__add", SUM)).toBe("3");
  const uncertain = {
    ok: false,
    error: { hint: expect.stringContaining("look before you repeat it") as string },
  };
  for (status of [500, 0]) expect(await opened.call("web__add", SUM)).toMatchObject(uncertain);
  expect(server.seen.filter(({ message }) => message === "tools/call")).toHaveLength(4);
  expect(server.runs()).toBe(1);
});

test("a redirect is followed within the origin and not to another", async () => {
  await using other = await openHttpServer();
  const targets = [other.url, "/elsewhere"];
  const states = [];
  for (const location of targets) {
    await using server = await openHttpServer({
      fault: ({ message, answer }, count) =>
        message === "initialize" && count < 2 && (answer(307, { location }), true),
    });
    await using opened = await openServers({ web: { url: server.url, bearerToken: "t0ken" } });
    states.push(opened.servers.reports()[0]?.state);
  }
  expect(states).toEqual(["failed", "ready"]);
  expect(other.seen).toEqual([]);
});

test("a refusal says what to set", async () => {
  await using server = await openHttpServer({ fault: ({ answer }) => (answer(401), true) });
  await using opened = await openServers({ web: { url: server.url } });
  const { host } = new URL(server.url);
  expect(opened.servers.reports()[0]?.error).toEqual({
    message: `${host} refuses the request (HTTP 401)`,
    hint: 'give it a token: bearerToken: "${VAR}", or headers; a login in a browser (OAuth) is not possible here',
  });
});

test("a server that is not there is named", async () => {
  const gone = await openHttpServer();
  await gone[Symbol.asyncDispose]();
  await using opened = await openServers({ web: { url: gone.url } });
  expect(opened.servers.reports()[0]?.error?.message).toContain("ECONNREFUSED");
});

test.each(["http", "sse"] as const)(
  "an answer over %s that breaks off fails its call at once",
  async (kind) => {
    await using server = await openHttpServer({ kind });
    await using opened = await openServers({ web: { url: server.url } });
    const pending = opened.call("web__hang");
    await until(() => server.seen.some(({ message }) => message === "tools/call"));
    server.breakStreams();
    expect(await pending).toMatchObject({ ok: false });
    expect(await opened.say("web__add", SUM)).toBe("3");
    expect(server.runs()).toBe(1);
  },
);

test("a server beyond a proxy is reached through it", async () => {
  await using server = await openHttpServer();
  const asked: string[] = [];
  const proxy = createServer();
  proxy.on("connect", (request, socket) => {
    asked.push(request.url ?? "");
    const target = connect(Number(new URL(server.url).port), "127.0.0.1", () => {
      socket.write("HTTP/1.1 200 OK\r\n\r\n");
      target.pipe(socket).pipe(target);
    });
    for (const end of [target, socket]) end.on("error", () => {});
  });
  await new Promise<void>((resolve) => proxy.listen(0, "127.0.0.1", resolve));
  vi.stubEnv("HTTP_PROXY", `http://127.0.0.1:${(proxy.address() as AddressInfo).port}`);
  try {
    await using opened = await openServers({ web: { url: "http://mcp.example.test/mcp" } });
    expect(await opened.say("web__add", SUM)).toBe("3");
    expect(asked).toContain("mcp.example.test:80");
  } finally {
    vi.unstubAllEnvs();
    proxy.close();
  }
});
