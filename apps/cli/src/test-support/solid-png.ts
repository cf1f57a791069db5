import { crc32, deflateSync } from "node:zlib";

const number = (value: number): Buffer => {
  const bytes = Buffer.alloc(4);
  bytes.writeUInt32BE(value);
  return bytes;
};

const chunk = (type: string, data: Buffer): Buffer => {
  const body = Buffer.concat([Buffer.from(type), data]);
  return Buffer.concat([number(data.length), body, number(crc32(body))]);
};

/** A square PNG of one colour, as base64. */
export function solidPng(side: number, rgb: readonly [number, number, number]): string {
  const row = Buffer.concat([Buffer.from([0]), Buffer.from(Array.from({ length: side }, () => rgb).flat())]);
  const pixels = Buffer.concat(Array.from({ length: side }, () => row));
  const header = Buffer.concat([number(side), number(side), Buffer.from([8, 2, 0, 0, 0])]);
  return Buffer.concat([
    Buffer.from("89504e470d0a1a0a", "hex"),
    chunk("IHDR", header),
    chunk("IDAT", deflateSync(pixels)),
    chunk("IEND", Buffer.alloc(0)),
  ]).toString("base64");
}
