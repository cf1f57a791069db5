import { inertText } from "./inert.ts";

/** A stream whose text holds no workflow command, whatever is written to it. */
export interface InertStream {
  readonly stream: NodeJS.WriteStream;
  /** Writes what a line still lacks its end for. */
  flush(): void;
}

/** Writes on to `target` in whole lines: a command could come in two pieces. */
export function inertStream(target: NodeJS.WriteStream): InertStream {
  let rest = "";
  const write = (chunk: string | Uint8Array): boolean => {
    const text = rest + (typeof chunk === "string" ? chunk : Buffer.from(chunk).toString());
    const end = text.lastIndexOf("\n") + 1;
    rest = text.slice(end);
    return end === 0 || target.write(inertText(text.slice(0, end)));
  };
  return {
    stream: Object.create(target, { write: { value: write }, isTTY: { value: false } }) as NodeJS.WriteStream,
    flush() {
      if (rest !== "") target.write(inertText(rest));
      rest = "";
    },
  };
}
