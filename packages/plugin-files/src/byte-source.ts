import { Buffer } from "node:buffer";
import type { FileHandle } from "node:fs/promises";
import { ToolError } from "@toycoder/core";

/** Bytes that can be read from any place. */
export interface ByteSource {
  readonly size: number;
  /** The bytes from `position` on, `length` of them or fewer at the end; in `into` where that is given. */
  read(position: number, length: number, into?: Buffer): Promise<Buffer>;
}

/** What is read at once: of a smaller file, all of it. */
const SMALL = 64 * 1024;

/** A file as it is when it is read; it may shrink meanwhile. */
export async function fileSource(handle: FileHandle, size: number): Promise<ByteSource> {
  if (size <= SMALL) return memorySource(await readAt(handle, 0, Buffer.allocUnsafeSlow(size)));
  return {
    size,
    read: (position, length, into) => {
      const wanted = Math.max(0, Math.min(length, size - position));
      return readAt(handle, position, into?.subarray(0, wanted) ?? Buffer.allocUnsafeSlow(wanted));
    },
  };
}

export const memorySource = (bytes: Buffer): ByteSource => ({
  size: bytes.length,
  read: (position, length) => Promise.resolve(bytes.subarray(position, position + length)),
});

async function readAt(handle: FileHandle, position: number, buffer: Buffer): Promise<Buffer> {
  let filled = 0;
  while (filled < buffer.length) {
    const { bytesRead } = await handle.read(buffer, filled, buffer.length - filled, position + filled);
    if (bytesRead === 0) break;
    filled += bytesRead;
  }
  return buffer.subarray(0, filled);
}

/** Reads a file whose size the system doesn't know, as under /proc. Throws a ToolError `too_large` beyond `limit`. */
export async function readToEnd(handle: FileHandle, limit: number): Promise<Buffer> {
  const chunks: Buffer[] = [];
  for (let total = 0; ;) {
    const chunk = Buffer.allocUnsafeSlow(64 * 1024);
    const { bytesRead } = await handle.read(chunk, 0, chunk.length, null);
    if (bytesRead === 0) return Buffer.concat(chunks);
    total += bytesRead;
    if (total > limit) throw new ToolError("too_large", `it has more than ${limit} bytes and no known size`);
    chunks.push(chunk.subarray(0, bytesRead));
  }
}
