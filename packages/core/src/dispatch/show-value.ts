import { Buffer } from "node:buffer";

/**
 * What a model sees of a tool's output: text as it is, nothing as "(no output)", all else as JSON. Takes what
 * JSON does not: cycles, BigInts, Maps, Sets, bytes, values whose `toJSON` throws. Never throws.
 */
export function showValue(value: unknown): string {
  if (typeof value === "string") return value === "" ? "(no output)" : value;
  if (value === undefined || value === null) return "(no output)";
  try {
    return JSON.stringify(plain(value, [])) ?? String(value);
  } catch {
    return "(an output that cannot be shown)";
  }
}

function plain(value: unknown, above: readonly object[]): unknown {
  if (typeof value === "bigint") return value.toString();
  if (typeof value === "symbol" || typeof value === "function") return `(${typeof value})`;
  if (typeof value !== "object" || value === null) return value;
  if (above.includes(value)) return "(circular)";
  const within = [...above, value];
  if (value instanceof Uint8Array) return `base64:${Buffer.from(value).toString("base64")}`;
  if (value instanceof Date) return Number.isNaN(value.getTime()) ? "(invalid date)" : value.toISOString();
  if (value instanceof Error) return `${value.name}: ${value.message}`;
  if (value instanceof Map) return [...value].map(([key, item]) => [plain(key, within), plain(item, within)]);
  if (value instanceof Set || Array.isArray(value)) return [...value].map((item) => plain(item, within));
  if ("toJSON" in value && typeof value.toJSON === "function") return plain(value.toJSON(), within);
  return Object.fromEntries(Object.entries(value).map(([key, item]) => [key, plain(item, within)]));
}
