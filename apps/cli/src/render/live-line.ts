import { wholeCharacters } from "@toycoder/core";

/** A line that says what goes on at the moment. */
export interface LiveLine {
  show(text: string): void;
  /** To be called before anything else is written. */
  clear(): void;
}

/** Where lines stay, one about every so often is enough to see that a run is alive. */
const PLAIN_MS = 10_000;

/** On a terminal one line that is written over; elsewhere a plain line when nothing else was written for a while. */
export function liveLine(stream: NodeJS.WriteStream, now: () => number = () => performance.now()): LiveLine {
  const oneLine = (text: string): string => text.replaceAll(/(?:[^\S ]|\p{Cc})+/gu, " ");
  if (stream.isTTY && process.env["TERM"] !== "dumb") {
    let shown = false;
    return {
      show(given) {
        const text = oneLine(given).trimEnd();
        // Half of the columns are enough for text in wide characters, too.
        const room = Math.max(20, (stream.columns ?? 80) - 1);
        const fits = isNarrow(text) ? room : Math.floor(room / 2);
        stream.write(`\r\u001b[2K${text.slice(0, wholeCharacters(text, fits))}`);
        shown = true;
      },
      clear() {
        if (shown) stream.write("\r\u001b[2K");
        shown = false;
      },
    };
  }
  let last = now();
  return {
    show(text) {
      if (now() - last < PLAIN_MS) return;
      stream.write(`${oneLine(text).trimEnd()}\n`);
      last = now();
    },
    clear: () => void (last = now()),
  };
}

const isNarrow = (text: string): boolean => /^[\u0020-\u02ff…·✓✗]*$/.test(text);
