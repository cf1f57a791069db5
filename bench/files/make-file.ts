import { closeSync, openSync, writeSync } from "node:fs";

/** Writes numbered lines until the file has `size` bytes; gives their number. */
export function makeFile(file: string, size: number): number {
  const descriptor = openSync(file, "w");
  let bytes = 0;
  let line = 0;
  while (bytes < size) {
    let block = "";
    while (block.length < 1 << 20)
      block += `line ${++line} of a file, with some words to make it as long as code\n`;
    bytes += writeSync(descriptor, block);
  }
  closeSync(descriptor);
  return line;
}
