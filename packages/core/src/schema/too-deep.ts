/** How deep arguments may be nested. */
export const MAX_DEPTH = 256;

/** Whether a value is nested more than `limit` deep. It doesn't go deeper than that itself. */
export function isTooDeep(value: unknown, limit: number = MAX_DEPTH): boolean {
  if (typeof value !== "object" || value === null) return false;
  if (limit === 0) return true;
  if (Array.isArray(value)) {
    for (const item of value) if (typeof item === "object" && isTooDeep(item, limit - 1)) return true;
    return false;
  }
  for (const key in value) {
    const item: unknown = Reflect.get(value, key);
    if (typeof item === "object" && isTooDeep(item, limit - 1)) return true;
  }
  return false;
}
