import { isRecord } from "../schema/json-schema.ts";

/** The value as an object whose fields can be read; an empty one where it is none. */
export const fields = (value: unknown): Readonly<Record<string, unknown>> => (isRecord(value) ? value : {});

/** The value where it is a string, else the other. */
export const stringOr = <T>(value: unknown, otherwise: T): string | T =>
  typeof value === "string" ? value : otherwise;

/** The value where it is a finite number, else the other. */
export const numberOr = (value: unknown, otherwise: number): number =>
  typeof value === "number" && Number.isFinite(value) ? value : otherwise;

/** The value as a list; an empty one where it is none. */
export const listOf = (value: unknown): readonly unknown[] => (Array.isArray(value) ? value : []);

export { isRecord };
