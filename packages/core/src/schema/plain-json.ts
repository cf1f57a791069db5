/**
 * A copy of `value` as JSON carries it. Throws an Error where it holds what JSON can't say: a BigInt, NaN or an
 * infinity, a circle, a getter that throws, or nothing at all.
 */
export function plainJson(value: unknown): unknown {
  const text: string | undefined = JSON.stringify(value, (key, item: unknown) => {
    if (typeof item === "bigint" || (typeof item === "number" && !Number.isFinite(item))) {
      throw new TypeError(
        `${key === "" ? "it" : JSON.stringify(key)} is ${String(item)}, which JSON cannot say`,
      );
    }
    return item;
  });
  if (text === undefined) throw new TypeError("it is no JSON");
  return JSON.parse(text) as unknown;
}
