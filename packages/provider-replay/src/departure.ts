/** Where a run does something else than its recording: both sides, and the cassette's line. */
export interface Departure {
  turn: number;
  what: string;
  /** Undefined where the recording has nothing to show. */
  line: number | undefined;
  recorded: string;
  now: string;
}

/** Some are left for whoever shows it indented. */
const WIDTH = 76;

/** A departure in words: the recorded line and what came instead, one under the other, in 80 columns. */
export function describeDeparture(file: string, departure: Departure): string {
  const { turn, what, line, recorded, now } = departure;
  const there = line === undefined ? "its end" : `line ${line}`;
  const labels = [`  ${there}  `, `  ${"now".padEnd(there.length)}  `] as const;
  return [
    ...wrap(`the run departs from its cassette in turn ${turn}: ${what}`, ""),
    `  ${file}`,
    ...wrap(recorded, labels[0]),
    ...wrap(now, labels[1]),
  ].join("\n");
}

/** The text in lines, a longer word in one of its own; `label` stands before the first. */
function wrap(text: string, label: string): string[] {
  const lines = [label];
  for (const word of text.split(" ")) {
    const last = lines.at(-1) ?? "";
    if (last.length === label.length) lines[lines.length - 1] = last + word;
    else if (last.length + 1 + word.length <= WIDTH) lines[lines.length - 1] = `${last} ${word}`;
    else lines.push(" ".repeat(label.length) + word);
  }
  return lines;
}
