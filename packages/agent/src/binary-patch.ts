import { createHash } from "node:crypto";
import { deflateSync } from "node:zlib";
import type { Source } from "./line-count.ts";

const CHUNK = 1 << 20;
const DIGITS = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz!#$%&()*+-;<=>?@^_`{|}~";
const LINE_BYTES = 52;

/** The name that git gives to the content, which binary patches need. */
export function blobName(source: Source): string {
  const hash = createHash("sha1").update(`blob ${source.size}\0`);
  for (let at = 0; at < source.size; at += CHUNK) {
    hash.update(source.read(at, Math.min(CHUNK, source.size - at)));
  }
  return hash.digest("hex");
}

/** The name of the content that is not there. */
export const NO_BLOB: string = "0".repeat(40);

/** The whole of both contents, as `git diff --binary` writes them where a delta would not be shorter. */
export const binaryPatch = (before: Source, after: Source): string =>
  `GIT binary patch\n${literal(after)}${literal(before)}`;

function literal(source: Source): string {
  const packed = deflateSync(source.read(0, source.size));
  const lines: string[] = [];
  for (let at = 0; at < packed.length; at += LINE_BYTES) {
    const bytes = packed.subarray(at, at + LINE_BYTES);
    const length = bytes.length <= 26 ? 64 + bytes.length : 70 + bytes.length;
    lines.push(`${String.fromCharCode(length)}${base85(bytes)}\n`);
  }
  return `literal ${source.size}\n${lines.join("")}\n`;
}

/** Five digits for four bytes; the last ones are filled up with zeros. */
function base85(bytes: Uint8Array): string {
  let text = "";
  for (let at = 0; at < bytes.length; at += 4) {
    let value = 0;
    for (let index = at; index < at + 4; index++) value = value * 256 + (bytes[index] ?? 0);
    let digits = "";
    for (let digit = 0; digit < 5; digit++) {
      digits = DIGITS.charAt(value % 85) + digits;
      value = Math.floor(value / 85);
    }
    text += digits;
  }
  return text;
}
