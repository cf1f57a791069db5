import { fitLine, widthOf } from "./text-width.ts";

/** Lines at the end of a stream that say what goes on at the moment. They hold no control characters. */
export interface LiveLines {
  /** Whether they are written over, so that they may be shown again and again. */
  readonly moving: boolean;
  show(lines: readonly string[]): void;
  /** To be called before anything else is written. */
  clear(): void;
}

/** Where lines stay, one about every so often is enough to see that a run is alive. */
const PLAIN_MS = 10_000;

/** On a terminal lines that are written over; elsewhere a plain line when nothing else was written for a while. */
export function liveLines(
  stream: NodeJS.WriteStream,
  now: () => number = () => performance.now(),
): LiveLines {
  return isScreen(stream) ? movingLines(stream) : plainLines(stream, now);
}

/** Whether the stream is a terminal that can go back over what it shows. */
export const isScreen = (stream: NodeJS.WriteStream): boolean =>
  stream.isTTY && process.env["TERM"] !== "dumb";

function movingLines(stream: NodeJS.WriteStream): LiveLines {
  let shown: readonly string[] = [];
  // A terminal that got narrower since has broken the lines into more.
  const rows = (): number => {
    const columns = stream.columns || 80;
    return shown.reduce((sum, line) => sum + Math.max(1, Math.ceil(widthOf(line) / columns)), 0);
  };
  const wiped = (): string => {
    if (shown.length === 0) return "";
    const up = rows() - 1;
    return `${up > 0 ? `\u001b[${up}A` : ""}\r\u001b[J`;
  };
  return {
    moving: true,
    show(lines) {
      const most = Math.max(1, (stream.rows || 24) - 1);
      const room = Math.max(20, (stream.columns || 80) - 1);
      const kept = lines.slice(-most).map((line) => fitLine(line, room));
      if (kept.join("\n") === shown.join("\n")) return;
      stream.write(`${wiped()}${kept.join("\n")}`);
      shown = kept;
    },
    clear() {
      if (shown.length > 0) stream.write(wiped());
      shown = [];
    },
  };
}

function plainLines(stream: NodeJS.WriteStream, now: () => number): LiveLines {
  let last = now();
  return {
    moving: false,
    show(lines) {
      if (lines.length === 0 || now() - last < PLAIN_MS) return;
      stream.write(lines.map((line) => `${line}\n`).join(""));
      last = now();
    },
    clear: () => void (last = now()),
  };
}
