import { Buffer } from "node:buffer";
import { cutLine, SHOWN, windowStart } from "./cut-line.ts";

/** Who hears of ripgrep's output. A file's lines come together, in order. */
export interface MatchSink {
  /** A file's first line comes next. False: its lines are passed over unread. */
  startFile(path: string): boolean;
  /** A line of the file: `bytes` from `start` to `end`, valid during the call; `column` is the match's, from 1; 0: not known. */
  line(isMatch: boolean, number: number, bytes: Buffer, start: number, end: number, column: number): void;
  /** A line too long to be kept, already cut. */
  longLine(isMatch: boolean, number: number, text: string): void;
  /** The file turned out to be binary after its first lines. */
  dropFile(): void;
}

const NOTHING = Buffer.alloc(0);
/** Bytes of an unfinished line that are kept before it is cut to what will be shown. */
const MAX_PENDING = 256 * 1024;
const BINARY =
  /^.*: WARNING: stopped searching binary file after match \(found "\\0" byte around offset \d+\)\n/;
const BINARY_ALONE = /binary file matches \(found "\\0" byte around offset \d+\)\n?$/;

/** What stands before a line's text, and where in the bytes the path ends and the text begins. */
interface Head {
  pathEnd: number;
  /** The path is that of the line before. */
  samePath: boolean;
  number: number;
  isMatch: boolean;
  column: number;
  text: number;
}

/**
 * Reads ripgrep's output of `--null --line-number --no-heading`: `PATH NUL NUMBER:TEXT` for a match,
 * `PATH NUL NUMBER-TEXT` for a line of context; with `--column`, `NUMBER:COLUMN:TEXT` for a match. Memory doesn't
 * grow with the length of lines.
 */
export class MatchParser {
  readonly #sink: MatchSink;
  readonly #columns: boolean;
  readonly #head: Head = { pathEnd: 0, samePath: false, number: 0, isMatch: false, column: 0, text: 0 };
  #rest: Buffer = NOTHING;
  /** The path of the file whose lines are coming. */
  #path: Buffer = NOTHING;
  #wanted = false;
  /** A line too long to be kept: the part that will be shown, and how far it was read. */
  #long: { head: Head; from: number; parts: Buffer[]; read: number } | undefined;

  /** `columns`: ripgrep was told to say them. */
  constructor(sink: MatchSink, { columns = false }: { columns?: boolean } = {}) {
    this.#sink = sink;
    this.#columns = columns;
  }

  push(chunk: Buffer): void {
    let bytes = this.#rest.length === 0 ? chunk : Buffer.concat([this.#rest, chunk]);
    if (this.#long !== undefined) bytes = this.#continueLong(bytes);
    let at = 0;
    while (at < bytes.length) {
      const head = this.#readHead(bytes, at);
      if (head === undefined) break;
      const end = bytes.indexOf(10, head.text);
      if (end === -1) {
        if (bytes.length - head.text > MAX_PENDING) {
          this.#startLong({ ...head }, bytes, at);
          at = bytes.length;
        }
        break;
      }
      if (!head.samePath) this.#startFile(bytes.subarray(at, head.pathEnd));
      if (this.#wanted) this.#sink.line(head.isMatch, head.number, bytes, head.text, end, head.column);
      at = end + 1;
    }
    this.#rest = at === bytes.length ? NOTHING : Buffer.from(bytes.subarray(at));
  }

  /** To be called when ripgrep has ended. What is left may be its word that the last file is binary. */
  end(): void {
    const rest = this.#rest.toString("latin1");
    if (BINARY.test(rest) || BINARY_ALONE.test(rest)) this.#sink.dropFile();
  }

  /** The head of the line at `at`, in an object that is used again; undefined where more bytes are needed. */
  #readHead(bytes: Buffer, at: number): Head | undefined {
    const head = this.#head;
    const known = at + this.#path.length;
    head.samePath = bytes[known] === 0 && this.#isOpenPath(bytes, at);
    head.pathEnd = head.samePath ? known : bytes.indexOf(0, at);
    if (head.pathEnd === -1) return undefined;
    let next = head.pathEnd + 1;
    head.number = 0;
    for (; isDigit(bytes[next]); next++) head.number = head.number * 10 + (bytes[next] ?? 0) - 48;
    head.isMatch = bytes[next] === 58;
    head.column = 0;
    if (head.isMatch && this.#columns) {
      for (next++; isDigit(bytes[next]); next++) head.column = head.column * 10 + (bytes[next] ?? 0) - 48;
    }
    head.text = next + 1;
    return next < bytes.length ? head : undefined;
  }

  #isOpenPath(bytes: Buffer, at: number): boolean {
    const path = this.#path;
    for (let index = path.length - 1; index >= 0; index--)
      if (path[index] !== bytes[at + index]) return false;
    return path.length > 0;
  }

  #startFile(given: Buffer): void {
    let path = given;
    if (path.includes(10)) {
      // Not every line feed is part of a name: a warning about the file before has no NUL of its own.
      const warning = BINARY.exec(path.toString("latin1"));
      if (warning !== null) {
        this.#sink.dropFile();
        path = path.subarray(warning[0].length);
      }
    }
    this.#path = Buffer.from(path);
    const name = path.toString("utf8");
    this.#wanted = this.#sink.startFile(name.startsWith("./") ? name.slice(2) : name);
  }

  #startLong(head: Head, bytes: Buffer, at: number): void {
    if (!head.samePath) this.#startFile(bytes.subarray(at, head.pathEnd));
    this.#long = { head, from: windowStart(head.column), parts: [], read: 0 };
    this.#keep(bytes.subarray(head.text));
  }

  #keep(bytes: Buffer): void {
    const long = this.#long;
    if (long === undefined) return;
    const start = Math.max(0, long.from - long.read);
    const end = Math.max(start, long.from + SHOWN + 4 - long.read);
    if (start < bytes.length && end > 0) long.parts.push(Buffer.from(bytes.subarray(start, end)));
    long.read += bytes.length;
  }

  /** Takes what belongs to the long line; gives back the rest. */
  #continueLong(bytes: Buffer): Buffer {
    const long = this.#long;
    const end = bytes.indexOf(10);
    this.#keep(end === -1 ? bytes : bytes.subarray(0, end));
    if (long === undefined || end === -1) return NOTHING;
    this.#long = undefined;
    const { isMatch, number, column } = long.head;
    const kept = Buffer.concat(long.parts);
    const more = long.from + kept.length < long.read;
    if (this.#wanted) this.#sink.longLine(isMatch, number, cutLine(kept, column, long.from, more));
    return bytes.subarray(end + 1);
  }
}

const isDigit = (byte: number | undefined): boolean => byte !== undefined && byte >= 48 && byte <= 57;
