import { styleText } from "node:util";

/** Colours for one stream: plain where it is no terminal or `NO_COLOR` is set, coloured under `FORCE_COLOR`. */
export type Paint = Readonly<Record<"bold" | "dim" | "green" | "red" | "yellow", (text: string) => string>>;

export function painter(stream: NodeJS.WriteStream): Paint {
  const style = (format: Parameters<typeof styleText>[0]) => (text: string) =>
    styleText(format, text, { stream });
  return {
    bold: style("bold"),
    dim: style("dim"),
    green: style("green"),
    red: style("red"),
    yellow: style("yellow"),
  };
}
