import { expected } from "./check-shape.ts";
import { CONFIG_SHAPE } from "./config-shape.ts";
import { placeOf, type Shape } from "./shape.ts";

/** The table of every key in docs/config.md, in Markdown. */
export function keyTable(): string {
  const rows = [["key", "value", "what"], ["---", "---", "---"], ...rowsOf(CONFIG_SHAPE, "")];
  return rows.map((cells) => `| ${cells.join(" | ")} |`).join("\n");
}

function rowsOf(shape: Shape, place: string): string[][] {
  if (shape.kind === "either") return shape.of.flatMap((one) => rowsOf(one, place));
  if (shape.kind !== "object") return [];
  return Object.entries(shape.keys).flatMap(([key, of]) => {
    if (of.kind === "unsupported" || of.about === undefined) return [];
    const at = placeOf(place, key);
    // A fallback is a model once more.
    return [[`\`${at}\``, valueOf(of), of.about], ...(key === "fallback" ? [] : rowsOf(of, at))];
  });
}

function valueOf(shape: Shape): string {
  const words = shape.kind === "list" ? `a list of: ${expected(shape.of)}` : expected(shape);
  return words.replaceAll("|", "\\|");
}
