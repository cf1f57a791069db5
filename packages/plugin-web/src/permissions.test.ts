import { textOf } from "@toycoder/core";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { fetchBench } from "./test-support/fetch-bench.ts";
import { redirectsTo, sends, webServer, type WebServer } from "./test-support/web-server.ts";

let server: WebServer;
let allowPrivate: string[];
let elsewhere: string;

beforeAll(async () => {
  let port = 0;
  server = await webServer({
    "/": sends("text/plain", "fine"),
    "/within": redirectsTo("/"),
    "/five": (request, response) => {
      const left = Number(new URL(request.url ?? "", "http://x").searchParams.get("left") ?? 5);
      redirectsTo(left > 1 ? `/five?left=${left - 1}` : "/", 307)(request, response);
    },
    "/away": (...args) => redirectsTo(`http://localhost:${port}/`, 301)(...args),
    "/ping": (...args) => redirectsTo(`http://localhost:${port}/pong`)(...args),
    "/pong": (...args) => redirectsTo(`http://127.0.0.1:${port}/ping`)(...args),
  });
  ({ port } = server);
  allowPrivate = [`127.0.0.1:${port}`];
  elsewhere = `http://localhost:${port}/`;
});

afterAll(() => server[Symbol.asyncDispose]());

describe("the host is an effect", () => {
  test.each([
    [{ allow: ["net:127.0.0.1"] }, "ok"],
    [{ allow: ["fetch_url(127.0.0.1)"] }, "ok"],
    [{ allow: ["fetch_url"], deny: ["net:127.*"] }, "permission_denied"],
    [{ allow: ["net:localhost"] }, "approval_required"],
    [{}, "approval_required"],
  ])("%j: %s", async (rules, expected) => {
    using bench = await fetchBench({ allowPrivate }, rules);
    const result = await bench.fetch(server.url);
    expect(result.ok ? "ok" : result.error.code).toBe(expected);
  });

  test.each([
    ["http://LOCALHOST:1/", "localhost"],
    ["http://localhost.:1/", "localhost"],
    ["http://0x7f.1/", "127.0.0.1"],
    ["http://B\u00fccher.example/", "xn--bcher-kva.example"],
    ["http://[0:0::1]/", "[[]::1]"],
  ])("a deny rule sees through spelling: %s", async (url, host) => {
    using bench = await fetchBench({}, { allow: ["fetch_url"], deny: [`net:${host}`] });
    expect(await bench.fetch(url)).toMatchObject({ ok: false, error: { code: "permission_denied" } });
  });

  test("a refusal names the rule", async () => {
    using bench = await fetchBench({ allowPrivate }, {});
    expect(await bench.fetch(server.url)).toMatchObject({
      ok: false,
      error: { hint: expect.stringContaining('"fetch_url(127.0.0.1)"') },
    });
  });
});

describe("redirects", () => {
  test("within a host are followed", async () => {
    using bench = await fetchBench({ allowPrivate }, { allow: ["net:127.0.0.1"] });
    const result = await bench.fetch(`${server.url}/within`);
    expect(result).toMatchObject({ ok: true, output: { text: "fine", url: `${server.url}/` } });
    expect(textOf(result.content)).toContain(`[redirected from ${server.url}/within]`);
  });

  test("five of them, and no more", async () => {
    using bench = await fetchBench({ allowPrivate });
    expect(await bench.fetch(`${server.url}/five`)).toMatchObject({ ok: true });
    expect(await bench.fetch(`${server.url}/five?left=6`)).toMatchObject({
      ok: false,
      error: { code: "too_many_redirects" },
    });
  });

  test("to another host are followed where the rules allow that host", async () => {
    using bench = await fetchBench({ allowPrivate }, { allow: ["net:127.0.0.1", "net:localhost"] });
    const result = await bench.fetch(`${server.url}/away`);
    expect(result).toMatchObject({
      ok: true,
      output: { url: elsewhere, redirects: [`${server.url}/away`] },
    });
  });

  test.each([
    [{ allow: ["net:127.0.0.1"] }, "permissions.allow would need"],
    [{ allow: ["fetch_url"], deny: ["net:localhost"] }, "denied by the rule net:localhost"],
  ])("and are not where they don't: %j", async (rules, says) => {
    using bench = await fetchBench({ allowPrivate }, rules);
    const before = server.seen.length;
    const result = await bench.fetch(`${server.url}/away`);
    expect(result).toMatchObject({ ok: false, error: { code: "redirect_refused" } });
    expect(textOf(result.content)).toContain(`redirects to ${elsewhere}`);
    expect(textOf(result.content)).toContain(says);
    expect(server.seen.slice(before)).toEqual(["/away"]);
  });

  test("back and forth between hosts come to an end", async () => {
    using bench = await fetchBench({ allowPrivate });
    expect(await bench.fetch(`${server.url}/ping`)).toMatchObject({
      ok: false,
      error: { code: "redirect_refused" },
    });
  });
});
