import { afterAll, beforeAll, describe, expect, test } from "vitest";
import hostile from "../fixtures/hostile-urls.json" with { type: "json" };
import { fetchBench, type FetchBench } from "./test-support/fetch-bench.ts";
import { redirectsTo, sends, webServer, type WebServer } from "./test-support/web-server.ts";

/** What nothing may ever reach: it listens where the URLs lead. */
let canary: WebServer;
/** Allowed, and hands out redirects. */
let server: WebServer;
let bench: FetchBench;

beforeAll(async () => {
  canary = await webServer({ "/": sends("text/plain", "the secret") });
  const at = (url: string): string => url.replace("{port}", String(canary.port));
  const ascii = (url: string): string => url.replaceAll(/[^\0-\u007f]/g, encodeURIComponent);
  server = await webServer(
    Object.fromEntries(hostile.map(({ url }, index) => [`/${index}`, redirectsTo(ascii(at(url)))])),
  );
  bench = await fetchBench({ allowPrivate: [`127.0.0.1:${server.port}`] });
});

afterAll(async () => {
  bench[Symbol.dispose]();
  await server[Symbol.asyncDispose]();
  await canary[Symbol.asyncDispose]();
});

describe("nothing is sent to", () => {
  test.each(hostile)("$what: $url", async ({ url, code }) => {
    const result = await bench.fetch(url.replace("{port}", String(canary.port)));
    expect(result).toMatchObject({ ok: false, error: { code } });
    expect(canary.seen).toEqual([]);
  });
});

describe("a redirect is not followed to", () => {
  test.each(hostile.map((one, index) => ({ ...one, index })))("$what: $url", async ({ index, url }) => {
    const result = await bench.fetch(`${server.url}/${index}`);
    const code = result.ok ? "none" : result.error.code;
    if (url === "") expect(code).toBe("too_many_redirects");
    // What has no scheme is a path of the redirecting host.
    else if (!url.includes(":")) expect(code).toBe("http_error");
    else expect(["address_refused", "redirect_refused"]).toContain(code);
    expect(canary.seen).toEqual([]);
  });
});

test("the canary answers whoever is allowed to ask it", async () => {
  using allowed = await fetchBench({ allowPrivate: [`127.0.0.1:${canary.port}`] });
  expect(await allowed.fetch(`http://2130706433:${canary.port}/`)).toMatchObject({
    ok: true,
    output: { text: "the secret" },
  });
});
