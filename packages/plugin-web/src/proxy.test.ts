import { afterEach, expect, test, vi } from "vitest";
import { fetchBench } from "./test-support/fetch-bench.ts";
import { proxyServer } from "./test-support/proxy-server.ts";
import { sends, webServer } from "./test-support/web-server.ts";

const noLookup = async (host: string): Promise<never> => expect.unreachable(`${host} was looked up`);

afterEach(() => vi.unstubAllEnvs());

function setProxy(url: string, noProxy = ""): void {
  for (const name of ["http_proxy", "https_proxy", "HTTPS_PROXY"]) vi.stubEnv(name, undefined);
  vi.stubEnv("HTTP_PROXY", url);
  vi.stubEnv("no_proxy", noProxy);
}

test("the environment's proxy is left alone", async () => {
  await using proxy = await proxyServer();
  await using server = await webServer({ "/": sends("text/plain", "direct") });
  setProxy(proxy.url);
  using bench = await fetchBench({ allowPrivate: ["127.0.0.1"] });
  expect(await bench.fetch(server.url)).toMatchObject({ ok: true, output: { text: "direct" } });
  expect(proxy.tunnels).toEqual([]);
});

test("with `proxy: true` it looks the name up and makes the connection", async () => {
  await using proxy = await proxyServer();
  await using server = await webServer({ "/": sends("text/plain", "by proxy") });
  setProxy(proxy.url);
  using bench = await fetchBench({ proxy: true, lookup: noLookup });
  const host = `site.example:${server.port}`;
  expect(await bench.fetch(`http://${host}/`)).toMatchObject({ ok: true, output: { text: "by proxy" } });
  expect(proxy.tunnels).toEqual([host]);
});

test("addresses in the URL are refused all the same, and so is what goes past the proxy", async () => {
  await using proxy = await proxyServer();
  await using canary = await webServer({ "/": sends("text/plain", "the secret") });
  setProxy(proxy.url, "direct.example");
  using bench = await fetchBench({ proxy: true, lookup: async () => ["127.0.0.1"] });
  for (const host of ["2130706433", "[::ffff:127.0.0.1]", "direct.example", "localhost", "a.localhost"]) {
    expect(await bench.fetch(`http://${host}:${canary.port}/`)).toMatchObject({
      ok: false,
      error: { code: "address_refused" },
    });
  }
  expect([...proxy.tunnels, ...canary.seen]).toEqual([]);
});

test("a proxy that refuses", async () => {
  await using proxy = await proxyServer(403);
  setProxy(proxy.url);
  using bench = await fetchBench({ proxy: true, lookup: noLookup });
  expect(await bench.fetch("http://site.example/")).toMatchObject({
    ok: false,
    error: { code: "proxy_failed", message: "the proxy refused the way to site.example: 403" },
  });
});

test("a variable that names no proxy", async () => {
  setProxy("::");
  using bench = await fetchBench({ proxy: true, lookup: noLookup });
  expect(await bench.fetch("http://site.example/")).toMatchObject({
    ok: false,
    error: { code: "proxy_failed" },
  });
});
