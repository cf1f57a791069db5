import type { Duplex } from "node:stream";
import { pipeline } from "node:stream/promises";
import {
  constants,
  createBrotliDecompress,
  createGunzip,
  createInflate,
  createInflateRaw,
  createZstdDecompress,
} from "node:zlib";
import { ToolError } from "@toycoder/core";
import { showSize } from "./show-size.ts";

/** More layers than any server has a reason for. */
const MAX_ENCODINGS = 2;
/** 8 MB, as RFC 9659 bounds the windows of `zstd` as a content encoding. */
const MAX_ZSTD_WINDOW_LOG = 23;

type Chunks = AsyncIterable<Buffer>;

/**
 * The whole body, unpacked by its `content-encoding`. Fails with a ToolError `too_large` as soon as the wire, a layer
 * or the result has come to more than `maxBytes`: what a bomb would grow to is never made.
 */
export async function readBody(body: Chunks, contentEncoding: string, maxBytes: number): Promise<Buffer> {
  const encodings = contentEncoding
    .toLowerCase()
    .split(",")
    .map((part) => part.trim())
    .filter((part) => part !== "" && part !== "identity");
  if (encodings.length > MAX_ENCODINGS)
    throw new ToolError("bad_response", `the body is packed ${encodings.length} times`);
  let source: Chunks = limited(body, maxBytes);
  for (const encoding of encodings.toReversed()) source = limited(unpacked(source, encoding), maxBytes);
  const chunks: Buffer[] = [];
  for await (const chunk of source) chunks.push(chunk);
  return Buffer.concat(chunks);
}

async function* limited(source: Chunks, maxBytes: number): AsyncGenerator<Buffer> {
  let size = 0;
  for await (const chunk of source) {
    size += chunk.length;
    if (size > maxBytes) {
      throw new ToolError(
        "too_large",
        `the body is larger than ${showSize(maxBytes)}; the rest was not read`,
        {
          hint: "look for a smaller page or file with the same content; the plugin's option maxMegabytes is the limit",
        },
      );
    }
    yield chunk;
  }
}

async function* unpacked(source: Chunks, encoding: string): AsyncGenerator<Buffer> {
  const chunks = source[Symbol.asyncIterator]();
  const first = await chunks.next();
  if (first.done === true) return;
  const decoder = decoderFor(encoding, first.value[0] ?? 0);
  const whole = async function* (): AsyncGenerator<Buffer> {
    yield first.value;
    yield* { [Symbol.asyncIterator]: () => chunks };
  };
  // A failure reaches whoever reads the decoder, as its own.
  pipeline(whole, decoder).catch(() => {});
  yield* decoder;
}

function decoderFor(encoding: string, firstByte: number): Duplex {
  switch (encoding) {
    case "gzip":
    case "x-gzip":
      return createGunzip();
    case "br":
      return createBrotliDecompress();
    case "zstd":
      return createZstdDecompress({ params: { [constants.ZSTD_d_windowLogMax]: MAX_ZSTD_WINDOW_LOG } });
    case "deflate":
      // Servers send both: with zlib's header, as the standard has it, and without.
      return (firstByte & 0x0f) === 8 ? createInflate() : createInflateRaw();
    default:
      throw new ToolError("bad_response", `the body is packed as ${JSON.stringify(encoding.slice(0, 40))}`, {
        hint: "fetch_url reads gzip, deflate, br and zstd",
      });
  }
}
