/** A line of a server: of its stderr, of its stdout where it is no message, or of its log. */
export interface McpServerLine {
  server: string;
  stream: "stderr" | "stdout" | "log";
  text: string;
}

/** Lines that are kept until somebody listens, and characters of one server that are told at all. */
const MAX_KEPT = 200;
const MAX_SAID = 1_000_000;

/** What servers say besides messages, to whoever listens, from the beginning on. */
export class ServerLines {
  readonly #said = new Map<string, number>();
  #kept: McpServerLine[] = [];
  #listener: ((line: McpServerLine) => void) | undefined;

  say(line: McpServerLine): void {
    const said = this.#said.get(line.server) ?? 0;
    if (said > MAX_SAID) return;
    const total = said + line.text.length;
    this.#said.set(line.server, total);
    const told = total > MAX_SAID ? { ...line, text: "(it says a lot: the rest is left out)\n" } : line;
    if (this.#listener !== undefined) this.#listener(told);
    else if (this.#kept.length < MAX_KEPT) this.#kept.push(told);
  }

  observe(listener: (line: McpServerLine) => void): void {
    this.#listener = listener;
    for (const line of this.#kept) listener(line);
    this.#kept = [];
  }
}
