import { textOf } from "@toycoder/core";
import { afterAll, beforeAll, expect, test } from "vitest";
import { fetchBench, type FetchBench } from "./test-support/fetch-bench.ts";
import { hostileServers } from "./test-support/hostile-servers.ts";
import { rawServer, sends, webServer, type WebServer } from "./test-support/web-server.ts";

/** One that waits, for what ends by itself, and one that doesn't, for what never does. */
let patient: FetchBench;
let hasty: FetchBench;
const servers: WebServer[] = [];
const urls = new Map<string, string>();

beforeAll(async () => {
  const http = hostileServers.flatMap(({ answer }, at) =>
    "http" in answer ? [[`/${at}`, answer.http] as const] : [],
  );
  const web = await webServer(Object.fromEntries(http));
  servers.push(web);
  for (const [at, { what, answer }] of hostileServers.entries()) {
    if ("http" in answer) urls.set(what, `${web.url}/${at}`);
    else {
      const raw = await rawServer(answer.raw);
      servers.push(raw);
      urls.set(what, raw.url);
    }
  }
  const allowPrivate = servers.map(({ port }) => `127.0.0.1:${port}`);
  patient = await fetchBench({ allowPrivate, maxMegabytes: 1 });
  hasty = await fetchBench({ allowPrivate, timeoutSeconds: 0.5 });
});

afterAll(async () => {
  patient[Symbol.dispose]();
  hasty[Symbol.dispose]();
  for (const server of servers) await server[Symbol.asyncDispose]();
});

test.each(hostileServers)("$what: $code", async ({ what, code, says }) => {
  const bench = code === "timeout" ? hasty : patient;
  const result = await bench.fetch(urls.get(what) ?? "");
  expect(result.ok ? "ok" : result.error.code).toBe(code);
  if (says !== undefined) expect(textOf(result.content)).toMatch(says);
});

test("TLS that is none", async () => {
  await using server = await webServer({ "/": sends("text/plain", "x") });
  using own = await fetchBench({ allowPrivate: ["127.0.0.0/8"] });
  const result = await own.fetch(`https://127.0.0.1:${server.port}/`);
  expect(result).toMatchObject({ ok: false, error: { code: "tls_error" } });
});

test("nobody there", async () => {
  const gone = await webServer({});
  await gone[Symbol.asyncDispose]();
  using own = await fetchBench({ allowPrivate: ["127.0.0.1"] });
  expect(await own.fetch(gone.url)).toMatchObject({ ok: false, error: { code: "connection_failed" } });
});
