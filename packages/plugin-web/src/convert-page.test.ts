import { expect, test } from "vitest";
import { convertPage } from "./convert-page.ts";

const url = "https://example.com/";
const endless = AbortSignal.any([]);
const large = "<p>text</p>".repeat(20_000);

test("a page that takes too long is given up", async () => {
  await expect(convertPage(large, url, endless, 1)).rejects.toMatchObject({
    code: "unreadable_page",
    hint: expect.stringContaining("raw: true"),
  });
});

test("an abort ends it", async () => {
  const run = new AbortController();
  const converted = convertPage(large, url, run.signal);
  run.abort(new Error("over"));
  await expect(converted).rejects.toThrow("over");
  await expect(convertPage("<p>x", url, run.signal)).rejects.toThrow("over");
});

test("one after the other, and side by side", async () => {
  const pages = await Promise.all(["a", "b"].map((name) => convertPage(`<h1>${name}`, url, endless)));
  expect(pages.map(({ markdown }) => markdown)).toEqual(["# a", "# b"]);
});
