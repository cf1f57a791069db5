import type { Mask } from "@toycoder/core";

/** A copy of a JSON value with every text in it masked, the names of its fields included. */
export function maskStrings<T>(value: T, mask: Mask): T {
  return masked(value, mask) as T;
}

function masked(value: unknown, mask: Mask): unknown {
  if (typeof value === "string") return mask(value);
  if (Array.isArray(value)) return value.map((item) => masked(item, mask));
  if (typeof value !== "object" || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([name, item]) => [mask(name), masked(item, mask)]));
}
