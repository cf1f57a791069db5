import { appendFile } from "node:fs/promises";
import { type ToolContext, wholeCharacters } from "@toycoder/core";
import { PlainText } from "./plain-text.ts";

/** Characters that a model gets to see of a command's output. */
export const MAX_SHOWN = 10_000;
const HEAD = 4000;
const TAIL = MAX_SHOWN - HEAD - 200;

export interface OutputOptions {
  /** Where the whole goes when it is cut; its name in the session. */
  ctx: Pick<ToolContext, "spill" | "resolve">;
  name: string;
  /** The most bytes that are kept. */
  maxBytes: number;
}

/** What a command's output came to. */
export interface OutputText {
  /** At most {@link MAX_SHOWN} characters; a cut says what is missing and where the whole is. */
  text: string;
  /** `session:NAME` of the whole, where the text was cut or the output was binary. */
  file?: string;
}

/**
 * Collects a command's output in little memory: its head, its tail, and beyond {@link MAX_SHOWN} characters a file
 * of the session that holds it whole.
 */
export class Output {
  readonly #options: OutputOptions;
  readonly #decoder = new TextDecoder("utf-8");
  readonly #plain = new PlainText();
  #head = "";
  #tail = "";
  #cut = false;
  #length = 0;
  #lines = 0;
  #binary = false;
  #started = false;
  #bytes = 0;
  #file: string | undefined;
  #kept = 0;
  #full = false;
  /** The last line, for whoever watches. */
  lastLine = "";

  constructor(options: OutputOptions) {
    this.#options = options;
  }

  async write(chunk: Uint8Array): Promise<void> {
    if (!this.#started) {
      this.#started = true;
      this.#binary = chunk.includes(0);
    }
    this.#bytes += chunk.length;
    if (this.#binary) await this.#keep(chunk);
    else await this.#add(this.#plain.push(this.#decoder.decode(chunk, { stream: true })));
  }

  /** Ends the collection. */
  async end(): Promise<OutputText> {
    if (this.#binary) return this.#binaryText();
    await this.#add(this.#plain.push(this.#decoder.decode()) + this.#plain.end());
    if (!this.#cut) return { text: this.#head.replace(/\n$/, "") };
    return { text: this.#cutText(), ...(this.#file === undefined ? {} : { file: this.#file }) };
  }

  async #add(text: string): Promise<void> {
    if (text === "") return;
    this.#length += text.length;
    for (let at = text.indexOf("\n"); at !== -1; at = text.indexOf("\n", at + 1)) this.#lines++;
    const line = text.trimEnd();
    if (line !== "") this.lastLine = line.slice(line.lastIndexOf("\n") + 1).slice(0, 200);
    if (!this.#cut && this.#length <= MAX_SHOWN) {
      this.#head += text;
      return;
    }
    if (this.#cut) {
      this.#tail = (this.#tail + text).slice(-TAIL);
      return await this.#keep(text);
    }
    // Until here the head held everything.
    this.#cut = true;
    const whole = this.#head + text;
    this.#head = whole.slice(0, wholeCharacters(whole, HEAD));
    this.#tail = whole.slice(-TAIL);
    await this.#keep(whole);
  }

  async #keep(data: string | Uint8Array): Promise<void> {
    if (this.#full) return;
    const { ctx, name, maxBytes } = this.#options;
    const bytes = typeof data === "string" ? new TextEncoder().encode(data) : data;
    const part = bytes.subarray(0, maxBytes - this.#kept);
    this.#kept += part.length;
    this.#full = part.length < bytes.length;
    try {
      if (this.#file === undefined) this.#file = await ctx.spill(name, part);
      else await appendFile(ctx.resolve(this.#file).absolute, part);
    } catch {
      // A full disk ends what is kept, not the command.
      this.#full = true;
    }
  }

  #cutText(): string {
    // Cut between lines where one ends nearby.
    const partial = this.#head.length - (this.#head.lastIndexOf("\n") + 1);
    const head = partial < 500 ? this.#head.slice(0, this.#head.length - partial) : this.#head;
    const end = head.endsWith("\n") ? "" : "\n";
    const line = this.#tail.indexOf("\n");
    const tail = this.#tail
      .slice(line < 500 ? line + 1 : 0)
      .replace(/^[\udc00-\udfff]/, "")
      .replace(/\n$/, "");
    const left = this.#length - head.length - tail.length;
    return `${head}${end}[… ${left} of ${this.#length} characters left out, ${this.#lines} lines in all; ${this.#where()} …]\n${tail}`;
  }

  #where(): string {
    if (this.#file === undefined) return "the whole could not be kept";
    const what = this.#full ? `the first ${this.#kept} bytes are` : "the whole is";
    return `${what} ${this.#file}, to be read with read_file`;
  }

  #binaryText(): OutputText {
    const file = this.#file === undefined ? {} : { file: this.#file };
    return { text: `[binary output, ${this.#bytes} bytes; ${this.#where()}]`, ...file };
  }
}
