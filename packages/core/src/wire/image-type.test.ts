import { Buffer } from "node:buffer";
import { expect, test } from "vitest";
import { imageType } from "./image-type.ts";

test.each([
  ["\x89PNG\r\n\x1a\nrest", "image/png"],
  ["\xff\xd8\xff\xe0", "image/jpeg"],
  ["GIF87a", "image/gif"],
  ["GIF89a", "image/gif"],
  ["RIFF\n\0\0\0WEBPVP8 ", "image/webp"],
  ["RIFF\n\0\0\0WAVEfmt ", undefined],
  ["GIF8", undefined],
  ["<svg/>", undefined],
  ["", undefined],
])("%j is %s", (bytes, type) => {
  expect(imageType(Buffer.from(bytes, "latin1"))).toBe(type);
});
