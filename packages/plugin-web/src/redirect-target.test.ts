import { expect, test } from "vitest";
import { redirectTarget } from "./redirect-target.ts";
import { webTarget } from "./web-target.ts";

const from = webTarget("https://example.com/a/b?c#part");

test.each([
  ["d", "https://example.com/a/d#part"],
  ["/d#other", "https://example.com/d#other"],
  ["//EXAMPLE.com./d", "https://example.com/d#part"],
  ["https://example.org:8443/", "https://example.org:8443/#part"],
])("%s leads to %s", (location, url) => {
  expect(redirectTarget(location, from).url.href).toBe(url);
});

test("from http to https", () => {
  expect(redirectTarget("https://example.com/", webTarget("http://example.com/")).port).toBe(443);
});

test.each([
  ["http://example.com/", "leaves https"],
  ["file:///etc/passwd", "not file:"],
  ["javascript:alert(1)", "not javascript:"],
  ["https://me:pass@example.com/", "password"],
  ["http://[", "no URL"],
])("%s is refused", (location, why) => {
  expect(() => redirectTarget(location, from)).toThrow(
    expect.objectContaining({ code: "redirect_refused", message: expect.stringContaining(why) }),
  );
});
