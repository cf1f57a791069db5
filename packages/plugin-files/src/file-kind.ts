import type { Buffer } from "node:buffer";

const SIGNATURES: readonly (readonly [signature: RegExp, name: string, hint?: string])[] = [
  [/^%PDF-/, "a PDF", "extract its text with a command such as pdftotext"],
  [/^PK\x03\x04/, "a ZIP archive (or an Office document)", "list it with a command such as unzip -l"],
  [/^\x1f\x8b/, "gzip data", "unpack it with a command such as gzip -dc"],
  [/^BZh/, "bzip2 data"],
  [/^\xfd7zXZ\x00/, "xz data"],
  [/^\x28\xb5\x2f\xfd/, "zstd data"],
  [/^\x7fELF/, "an ELF program"],
  [/^MZ/, "a Windows program"],
  [/^(?:\xcf\xfa\xed\xfe|\xca\xfe\xba\xbe)/, "a Mach-O program or Java class"],
  [/^\0asm/, "a WebAssembly module"],
  [/^SQLite format 3\0/, "an SQLite database", "query it with a command such as sqlite3"],
  [/^(?:ID3|\xff[\xf2\xf3\xfb])/, "an MP3"],
  [/^.{4}ftyp/s, "an MP4"],
  [/^OggS/, "Ogg media"],
  [/^wOF[F2]/, "a web font"],
];

/** A PDF may well begin with a page of ASCII. */
export const isPdf = (head: Buffer): boolean => head.toString("latin1", 0, 5) === "%PDF-";

/** What a binary file is, in words, and what to read it with. */
export function binaryKind(head: Buffer): { name: string; hint?: string } {
  const start = head.toString("latin1", 0, 16);
  const [, name = "binary data", hint] = SIGNATURES.find(([signature]) => signature.test(start)) ?? [];
  return hint === undefined ? { name } : { name, hint };
}

/** Bytes for people: `340 B`, `1.2 KB`, `5 MB`. */
export function showSize(bytes: number): string {
  if (bytes < 1024) return `${bytes} B`;
  const units = ["KB", "MB", "GB", "TB"];
  let size = bytes / 1024;
  let unit = 0;
  while (size >= 1023.95 && unit < units.length - 1) {
    size /= 1024;
    unit++;
  }
  return `${size < 10 ? size.toFixed(1).replace(/\.0$/, "") : Math.round(size)} ${units[unit] ?? ""}`;
}
