/** Cuts an answer that is being written into Markdown blocks that are whole, to be shown as they come. */
export class AnswerBlocks {
  #text = "";
  /** Characters of the answer that were given out. */
  #taken = 0;

  /** What of the answer can be shown now; empty where no block is whole yet. */
  add(piece: string): string {
    this.#text += piece;
    const end = blocksEnd(this.#text);
    const blocks = this.#text.slice(0, end);
    this.#text = this.#text.slice(end);
    this.#taken += end;
    return blocks;
  }

  /** What is left of a text that is complete. An answer may consist of several. */
  finish(text: string): string {
    const rest = text.slice(this.#taken);
    this.#taken = Math.max(0, this.#taken - text.length);
    this.#text = "";
    return rest;
  }

  /** The answer begins anew. */
  reset(): void {
    this.#text = "";
    this.#taken = 0;
  }
}

/** Where the last block ends that surely does: at an empty line outside of code, before a line that isn't indented. */
function blocksEnd(text: string): number {
  let fence = "";
  let end = 0;
  for (const { 0: line, index } of text.matchAll(/^.*\n(?=[^])/gm)) {
    const [mark = ""] = /^ {0,3}(?:```+|~~~+)/.exec(line) ?? [];
    if (fence === "") fence = mark.trim();
    else if (mark.trim().startsWith(fence)) fence = "";
    const next = index + line.length;
    if (fence === "" && line.trim() === "" && /\S/.test(text[next] ?? "")) end = next;
  }
  return end;
}
