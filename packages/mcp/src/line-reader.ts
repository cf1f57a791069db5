const NEWLINE = 10;
/** One message. Larger ones would be a fault anyway, and they are held in memory whole. */
export const MAX_LINE: number = 128 * 1024 * 1024;

/** Cuts a stream of bytes into lines of text; what is not UTF-8 becomes U+FFFD. */
export class LineReader {
  readonly #onLine: (line: string) => void;
  #parts: Buffer[] = [];
  #size = 0;

  constructor(onLine: (line: string) => void) {
    this.#onLine = onLine;
  }

  /** False where a line has grown too long. */
  push(chunk: Buffer): boolean {
    let start = 0;
    for (let end = chunk.indexOf(NEWLINE); end !== -1; end = chunk.indexOf(NEWLINE, start)) {
      this.#parts.push(chunk.subarray(start, end));
      this.#flush();
      start = end + 1;
    }
    if (start < chunk.length) {
      this.#parts.push(chunk.subarray(start));
      this.#size += chunk.length - start;
    }
    return this.#size <= MAX_LINE;
  }

  #flush(): void {
    const [first] = this.#parts;
    const line = (
      this.#parts.length === 1 && first !== undefined ? first : Buffer.concat(this.#parts)
    ).toString();
    this.#parts = [];
    this.#size = 0;
    const trimmed = line.endsWith("\r") ? line.slice(0, -1) : line;
    if (trimmed !== "") this.#onLine(trimmed);
  }
}
