/**
 * How long a server asks to wait, in milliseconds: `retry-after-ms`, else `retry-after` in seconds or as an HTTP
 * date. Undefined where it doesn't say, or says something else.
 */
export function retryAfterMs(headers: unknown, now: number): number | undefined {
  const milliseconds = Number.parseFloat(header(headers, "retry-after-ms") ?? "");
  if (milliseconds >= 0) return milliseconds;
  const value = header(headers, "retry-after")?.trim();
  if (value === undefined || value === "") return undefined;
  if (/^\d+(\.\d+)?$/.test(value)) return Number(value) * 1000;
  // Date.parse takes nearly anything for a date, "-5" too; an HTTP date has a time of day.
  const date = /\d:\d/.test(value) ? Date.parse(value) : Number.NaN;
  return Number.isNaN(date) ? undefined : Math.max(0, date - now);
}

function header(headers: unknown, name: string): string | undefined {
  if (typeof headers !== "object" || headers === null) return undefined;
  const get: unknown = Reflect.get(headers, "get");
  const value: unknown =
    typeof get === "function" ? Reflect.apply(get, headers, [name]) : Reflect.get(headers, name);
  return typeof value === "string" ? value : undefined;
}
