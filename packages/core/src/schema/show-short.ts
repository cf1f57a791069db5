/** A text of at most `limit` characters; what was cut is marked. */
export function cut(text: string, limit: number): string {
  if (text.length <= limit) return text;
  const end = /[\uD800-\uDBFF]/.test(text.charAt(limit - 2)) ? limit - 2 : limit - 1;
  return `${text.slice(0, end)}…`;
}

/** A value in few words, for an error: a scalar as JSON, cut; an object or array by its kind. */
export function showShort(value: unknown, limit = 48): string {
  if (Array.isArray(value)) return value.length === 0 ? "an empty array" : `an array of ${value.length}`;
  if (typeof value === "object" && value !== null)
    return Object.keys(value).length === 0 ? "{}" : "an object";
  if (typeof value === "string") return JSON.stringify(cut(value, limit));
  return cut(String(value), limit);
}

/** `a, b or c`; what goes over `limit` is counted. */
export function orList(words: readonly string[], limit: number): string {
  if (words.length > limit) return `${words.slice(0, limit).join(", ")} … (${words.length} in all)`;
  return words.length < 2 ? words.join("") : `${words.slice(0, -1).join(", ")} or ${words.at(-1) ?? ""}`;
}
