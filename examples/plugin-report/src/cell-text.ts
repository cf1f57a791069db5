import type { Cell } from "./query-rows.ts";

/** A value as people read it. Null is empty; bytes are told, not shown. */
export function cellText(value: Cell | undefined): string {
  if (value === null || value === undefined) return "";
  if (typeof value !== "object") return String(value);
  const { bytes } = value as { bytes?: unknown };
  return typeof bytes === "number" ? `(${bytes} bytes)` : JSON.stringify(value);
}
