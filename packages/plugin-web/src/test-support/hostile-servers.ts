import { Buffer } from "node:buffer";
import type { RequestListener } from "node:http";
import type { Socket } from "node:net";
import { brotliCompressSync, deflateRawSync, deflateSync, gzipSync, zstdCompressSync } from "node:zlib";
import { redirectsTo, sends } from "./web-server.ts";

/** What a server does, and what comes of it: an error's code, or `ok` and a text in the result. */
export interface HostileServer {
  what: string;
  code: string;
  says?: string | RegExp;
  /** An HTTP answer, or bytes of its own. */
  answer: { http: RequestListener } | { raw: (socket: Socket) => void };
}

const zeros = Buffer.alloc(3 * 1024 * 1024);
const empty = gzipSync("");
const packed = (encoding: string, body: Uint8Array): HostileServer["answer"] => ({
  http: sends("text/plain", body, { headers: { "content-encoding": encoding } }),
});
const page = (body: string | Uint8Array, type = "text/html"): HostileServer["answer"] => ({
  http: sends(type, body),
});
const HEAD = "HTTP/1.1 200 OK\r\ncontent-type: text/plain\r\n";

/** Writes for as long as the other side reads. */
function forever(socket: Socket, piece: string | Buffer): void {
  const write = (): void => {
    while (!socket.destroyed && socket.write(piece));
  };
  socket.on("drain", write);
  write();
}

/** Writes a little, again and again. */
function drip(socket: Socket, piece: string): void {
  const timer = setInterval(() => socket.write(piece), 20);
  socket.on("close", () => clearInterval(timer));
}

/** For a limit of 1 MB. */
export const hostileServers: readonly HostileServer[] = [
  { what: "a gzip bomb", code: "too_large", answer: packed("gzip", gzipSync(zeros)) },
  { what: "a brotli bomb", code: "too_large", answer: packed("br", brotliCompressSync(zeros)) },
  { what: "a deflate bomb", code: "too_large", answer: packed("deflate", deflateSync(zeros)) },
  { what: "a zstd bomb", code: "too_large", answer: packed("zstd", zstdCompressSync(zeros)) },
  { what: "a bomb in a bomb", code: "too_large", answer: packed("gzip, gzip", gzipSync(gzipSync(zeros))) },
  {
    what: "a bomb of nothing: millions of empty members",
    code: "too_large",
    answer: packed("gzip, gzip", gzipSync(Buffer.concat(Array.from({ length: 60_000 }, () => empty)))),
  },
  {
    what: "three layers",
    code: "bad_response",
    answer: packed("gzip, gzip, gzip", gzipSync(gzipSync(gzipSync("x")))),
  },
  {
    what: "an unknown packing",
    code: "bad_response",
    says: "rot13",
    answer: packed("rot13", Buffer.from("x")),
  },
  { what: "a lie about gzip", code: "bad_response", answer: packed("gzip", Buffer.from("not packed")) },
  {
    what: "half of a gzip",
    code: "bad_response",
    answer: packed("gzip", gzipSync("a".repeat(5000)).subarray(0, 30)),
  },
  {
    what: "deflate without a header",
    code: "ok",
    says: "plain",
    answer: packed("deflate", deflateRawSync("plain")),
  },
  {
    what: "an endless body",
    code: "too_large",
    answer: { raw: (socket) => (socket.write(`${HEAD}\r\n`), forever(socket, Buffer.alloc(65_536, "a"))) },
  },
  {
    what: "endless headers",
    code: "bad_response",
    answer: { raw: (socket) => (socket.write(HEAD), forever(socket, "x-more: and more\r\n")) },
  },
  {
    what: "endless hints before the answer",
    code: "timeout",
    answer: { raw: (socket) => drip(socket, "HTTP/1.1 103 Early Hints\r\n\r\n") },
  },
  {
    what: "one huge header",
    code: "bad_response",
    answer: { raw: (s) => s.end(`${HEAD}x: ${"y".repeat(100_000)}\r\n\r\n`) },
  },
  { what: "silence", code: "timeout", answer: { raw: () => {} } },
  {
    what: "headers in a slow drip",
    code: "timeout",
    answer: { raw: (socket) => (socket.write(HEAD), drip(socket, "x")) },
  },
  {
    what: "a body in a slow drip",
    code: "timeout",
    answer: { raw: (socket) => (socket.write(`${HEAD}\r\n`), drip(socket, "x")) },
  },
  {
    what: "no HTTP at all",
    code: "bad_response",
    answer: { raw: (socket) => socket.end("SSH-2.0-OpenSSH_9.9\r\n") },
  },
  {
    what: "an end before the answer",
    code: "connection_failed",
    answer: { raw: (socket) => socket.destroy() },
  },
  {
    what: "less than it promised",
    code: "connection_failed",
    answer: { raw: (socket) => socket.end(`${HEAD}content-length: 100\r\n\r\nshort`) },
  },
  {
    what: "two lengths",
    code: "bad_response",
    answer: { raw: (socket) => socket.end(`${HEAD}content-length: 3\r\ncontent-length: 5\r\n\r\nabcde`) },
  },
  { what: "a redirect to itself", code: "too_many_redirects", answer: { http: redirectsTo("?again") } },
  {
    what: "a redirect to nowhere",
    code: "http_error",
    says: "302",
    answer: { http: sends(undefined, "", { status: 302 }) },
  },
  { what: "a redirect to no URL", code: "redirect_refused", answer: { http: redirectsTo("http://[") } },
  { what: "a PDF as a page", code: "unsupported_content", says: "a PDF", answer: page("%PDF-1.7\n1 0 obj") },
  {
    what: "a program as text",
    code: "unsupported_content",
    answer: page(Buffer.from("\x7fELF\0\0"), "text/plain"),
  },
  {
    what: "NUL bytes as JSON",
    code: "unsupported_content",
    answer: page(Buffer.from("{}\0\0"), "application/json"),
  },
  {
    what: "a page as an image",
    code: "ok",
    says: "# Hi",
    answer: page("<!doctype html><h1>Hi</h1>", "image/png"),
  },
  {
    what: "the wrong charset",
    code: "ok",
    says: "2 characters could not be read as utf-8",
    answer: page(Buffer.from([0x61, 0xe9, 0x20, 0xe8, 0x62]), "text/plain; charset=utf-8"),
  },
  {
    what: "a charset that there is not",
    code: "ok",
    says: 'the charset "klingon" is unknown',
    answer: page("tlhIngan", "text/plain; charset=klingon"),
  },
  {
    what: "100,000 nested elements",
    code: "ok",
    says: "deep",
    answer: page(`${"<div>".repeat(100_000)}deep`),
  },
  { what: "a page of nothing but <", code: "ok", answer: page(`<p>${"<".repeat(900_000)}`) },
  { what: "comments without an end", code: "ok", answer: page(`<p>x</p>${"<!--".repeat(200_000)}`) },
  {
    what: "terminal sequences",
    code: "ok",
    says: /^[^\u0007\u001b\u202e]*\n\nred done$/,
    answer: page("\u001b[31mred\u001b[0m \u001b]0;title\u0007\u202edone", "text/plain"),
  },
];
