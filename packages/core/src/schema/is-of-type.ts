import { isRecord } from "./json-schema.ts";

/** Whether a value is of a type of JSON Schema. */
export function isOfType(value: unknown, type: string | undefined): boolean {
  switch (type) {
    case "null":
      return value === null;
    case "array":
      return Array.isArray(value);
    case "object":
      return isRecord(value);
    case "integer":
      return Number.isInteger(value);
    default:
      return typeof value === type;
  }
}
