import { styleText } from "node:util";

const STYLES = [
  "bold",
  "dim",
  "italic",
  "underline",
  "strikethrough",
  "green",
  "red",
  "yellow",
  "cyan",
] as const;

/** Styles for one stream: plain where it is no terminal or `NO_COLOR` is set, coloured under `FORCE_COLOR`. */
export type Paint = Readonly<Record<(typeof STYLES)[number], (text: string) => string>>;

export function painter(stream: NodeJS.WriteStream): Paint {
  const style = (format: (typeof STYLES)[number]) => (text: string) => styleText(format, text, { stream });
  return Object.fromEntries(STYLES.map((format) => [format, style(format)])) as Paint;
}

/** Whether `paint` shows anything. */
export const paints = (paint: Paint): boolean => paint.bold("x") !== "x";
