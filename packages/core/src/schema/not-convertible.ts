import { SetupError } from "../errors.ts";

export const NOT_CONVERTIBLE = "schema_not_convertible";

/** The error of a schema that can't be used, with the place in it: `properties.a.items: …`. */
export function notConvertible(
  problem: string,
  at: readonly string[] = [],
  options: { hint?: string; cause?: unknown } = {},
): SetupError {
  return new SetupError(NOT_CONVERTIBLE, at.length === 0 ? problem : `${at.join(".")}: ${problem}`, options);
}
