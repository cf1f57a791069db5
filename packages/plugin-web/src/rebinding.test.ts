import { expect, test } from "vitest";
import { fetchBench } from "./test-support/fetch-bench.ts";
import { nameServer } from "./test-support/name-server.ts";
import { redirectsTo, sends, webServer } from "./test-support/web-server.ts";

/** 127.0.0.2 stands for the public address that a hostile name server shows first; 127.0.0.1 for what it is after. */
const GOOD = "127.0.0.2";
const BAD = "127.0.0.1";

test("what was checked is what is connected to: one answer, for both", async () => {
  await using good = await webServer({ "/": sends("text/plain", "fine") }, GOOD);
  await using names = await nameServer([GOOD], [BAD]);
  using bench = await fetchBench({ allowPrivate: [GOOD], lookup: names.lookup });
  const result = await bench.fetch(`http://rebind.example:${good.port}/`);
  expect(result).toMatchObject({ ok: true, output: { text: "fine" } });
  expect(names.asked).toBe(1);
  expect(good.seen).toEqual(["/"]);
});

test("the next call is checked again", async () => {
  await using canary = await webServer({ "/": sends("text/plain", "the secret") }, BAD);
  await using names = await nameServer([BAD]);
  using bench = await fetchBench({ allowPrivate: [GOOD], lookup: names.lookup });
  const result = await bench.fetch(`http://rebind.example:${canary.port}/`);
  expect(result).toMatchObject({
    ok: false,
    error: { code: "address_refused", message: expect.stringContaining("leads to 127.0.0.1") },
  });
  expect(canary.seen).toEqual([]);
});

test("a redirect to the same host is checked again", async () => {
  await using canary = await webServer({ "/secret": sends("text/plain", "the secret") }, BAD);
  await using good = await webServer(
    { "/": redirectsTo(`http://rebind.example:${canary.port}/secret`) },
    GOOD,
  );
  await using names = await nameServer([GOOD], [BAD]);
  using bench = await fetchBench({ allowPrivate: [GOOD], lookup: names.lookup });
  const result = await bench.fetch(`http://rebind.example:${good.port}/`);
  expect(result).toMatchObject({ ok: false, error: { code: "address_refused" } });
  expect(names.asked).toBe(2);
  expect(canary.seen).toEqual([]);
});

test("of several addresses, those that may not be reached are left out", async () => {
  await using good = await webServer({ "/": sends("text/plain", "fine") }, GOOD);
  await using names = await nameServer([BAD, GOOD]);
  using bench = await fetchBench({ allowPrivate: [GOOD], lookup: names.lookup });
  expect(await bench.fetch(`http://both.example:${good.port}/`)).toMatchObject({ ok: true });
});

test("a lookup that answers nonsense leads nowhere", async () => {
  using bench = await fetchBench({ lookup: async () => ["not an address"] });
  const nonsense = await bench.fetch("http://odd.example/");
  expect(nonsense).toMatchObject({ ok: false, error: { code: "address_refused" } });
  using empty = await fetchBench({ lookup: async () => [] });
  expect(await empty.fetch("http://odd.example/")).toMatchObject({
    ok: false,
    error: { code: "host_not_found" },
  });
});
