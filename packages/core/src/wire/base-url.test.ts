import { expect, test } from "vitest";
import { cleanBaseURL } from "./base-url.ts";
import { shownUrl } from "./error-text.ts";

test.each([
  ["https://x/v1", "https://x/v1"],
  [" https://x/v1/ ", "https://x/v1"],
  ["https://x/v1/chat/completions", "https://x/v1"],
  ["https://x/v1/chat/completions/", "https://x/v1"],
  ["https://x", "https://x"],
  ["https://x/v1?api-version=1", "https://x/v1?api-version=1"],
])("%j is %s", (given, clean) => {
  expect(cleanBaseURL(given, ["/chat/completions"])).toBe(clean);
});

test.each([
  ["localhost:1/v1", "http://localhost:1/v1"],
  ["//x/v1", "http://x/v1"],
  ["me:secret@x/v1", "http://x/v1"],
  ["file:///x", "http://127.0.0.1:11434/v1"],
])("%j is none, and %s is what to write", (given, hint) => {
  expect(() => cleanBaseURL(given)).toThrow(
    expect.objectContaining({ code: "invalid_model", hint: `write it whole, as in ${hint}` }),
  );
  expect(() => cleanBaseURL(given)).not.toThrow(/secret/);
});

test.each([
  ["https://me:secret@x:1/v1?key=secret#secret", "https://x:1/v1"],
  ["me:secret@x/v1?secret", "x/v1"],
  ["socks://me:secret@x:1", "socks://x:1"],
])("%s is shown as %s", (url, shown) => {
  expect(shownUrl(url)).toBe(shown);
});
