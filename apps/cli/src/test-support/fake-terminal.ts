import { Writable } from "node:stream";

export interface FakeTerminal {
  stream: NodeJS.WriteStream;
  written: string[];
}

/** A stream that keeps what is written to it, as if it were a terminal, or none. */
export function fakeTerminal(
  options: { isTTY?: boolean; columns?: number; rows?: number; colors?: boolean } = {},
): FakeTerminal {
  const { isTTY = true, columns = 80, rows = 24, colors = false } = options;
  const written: string[] = [];
  const writable = new Writable({
    decodeStrings: false,
    write(text: string, _, done) {
      written.push(text);
      done();
    },
  });
  const properties = { isTTY, columns, rows, getColorDepth: () => (colors ? 8 : 1) };
  return { stream: Object.assign(writable, properties) as NodeJS.WriteStream, written };
}
