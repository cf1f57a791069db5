import type { Buffer } from "node:buffer";
import { imageType, type ImageType } from "@toycoder/core/wire";

/** What a body is, by its bytes before what its server says of it. */
export type ContentKind =
  | { kind: "image"; mediaType: ImageType }
  | { kind: "binary"; name: string }
  | { kind: "html" }
  | { kind: "text" };

const BINARIES: readonly (readonly [RegExp, string])[] = [
  [/^%PDF-/, "a PDF"],
  [/^PK\x03\x04/, "a ZIP archive or an Office document"],
  [/^\x1f\x8b/, "gzip data"],
  [/^\x28\xb5\x2f\xfd/, "zstd data"],
  [/^\xfd7zXZ\0/, "xz data"],
  [/^\x7fELF/, "an ELF program"],
  [/^.{4}ftyp/s, "an MP4"],
  [/^(?:ID3|OggS)/, "audio"],
  [/^wOF[F2]/, "a web font"],
  [/^\0asm/, "a WebAssembly module"],
];

/** As far as a document says what it is. */
const HEAD_BYTES = 4096;
const HTML_START = /^<(?:!doctype\s+html|html|head|body)[\s>]/i;
const HAS_TAG = /<[a-z!/?]/i;
const WIDE = /^utf-(?:16|32)|^ucs-2|^unicode/i;

/**
 * Judges a body. `mediaType` and `charset` are the server's words: `text/html` for JSON doesn't make it HTML, and
 * `image/png` for a page no image. NUL bytes are text in UTF-16 alone.
 */
export function contentKind(body: Buffer, mediaType: string, charset: string | undefined): ContentKind {
  const start = body.toString("latin1", 0, 16);
  const image = imageType(body);
  if (image !== undefined) return { kind: "image", mediaType: image };
  const binary = BINARIES.find(([signature]) => signature.test(start));
  if (binary !== undefined) return { kind: "binary", name: binary[1] };
  const head = body.subarray(0, HEAD_BYTES);
  const wide = /^(?:\xff\xfe|\xfe\xff)/.test(start) || (charset !== undefined && WIDE.test(charset));
  if (!wide && head.includes(0)) return { kind: "binary", name: "binary data" };
  const text = head.toString("latin1").replaceAll(/^\xef\xbb\xbf|^\xff\xfe|^\xfe\xff|\0/g, "");
  if (mediaType === "text/html" || mediaType === "application/xhtml+xml")
    return { kind: HAS_TAG.test(text) && !/^\s*[{[]/.test(text) ? "html" : "text" };
  const said = mediaType.startsWith("text/") || /[/+](?:json|xml|javascript|yaml)$/.test(mediaType);
  return { kind: !said && HTML_START.test(withoutPrologue(text)) ? "html" : "text" };
}

/** A document without the comments and the XML declaration before it. */
function withoutPrologue(text: string): string {
  for (let rest = text.trimStart(); ; rest = rest.trimStart()) {
    const end = rest.startsWith("<!--") ? "-->" : rest.startsWith("<?") ? "?>" : undefined;
    const at = end === undefined ? -1 : rest.indexOf(end);
    if (end === undefined || at === -1) return rest;
    rest = rest.slice(at + end.length);
  }
}
