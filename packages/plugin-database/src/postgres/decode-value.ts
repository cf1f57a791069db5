import { Buffer } from "node:buffer";
import { floatValue, integerValue } from "../collect-rows.ts";
import type { Value } from "../query-result.ts";
import type { ColumnType } from "./column-types.ts";
import { parseArray } from "./parse-array.ts";

/** `2026-01-02 03:04:05.6`, with an offset where the type has one; infinity and years BC stay as they are. */
const TIMESTAMP = /^(\d{4,}-\d\d-\d\d) (\d\d:\d\d:\d\d(?:\.\d+)?)([+-]\d\d(?::?\d\d){0,2})?$/;

/** A value from the text in which the server sends it. Where JSON has nothing exact, it stays a text. */
export function decodeValue(text: string, type: ColumnType | undefined): Value | Uint8Array {
  if (type?.element === undefined) return decodeScalar(text, type?.base ?? "text");
  const { base, delimiter } = type.element;
  return parseArray(text, delimiter, (element) => {
    const value = decodeScalar(element, base);
    return value instanceof Uint8Array
      ? { bytes: value.length, base64: Buffer.from(value).toString("base64") }
      : value;
  });
}

function decodeScalar(text: string, base: string): Value | Uint8Array {
  switch (base) {
    case "bool":
      return text === "t";
    case "int2":
    case "int4":
    case "int8":
    case "oid":
      return integerValue(BigInt(text));
    case "float4":
    case "float8":
      return floatValue(Number(text));
    case "json":
    case "jsonb":
      return parseJson(text);
    case "bytea":
      return Buffer.from(text.slice(2), "hex");
    case "timestamp":
    case "timestamptz":
      return text.replace(
        TIMESTAMP,
        (_, day: string, time: string, offset = "") => `${day}T${time}${offset === "+00" ? "Z" : offset}`,
      );
    default:
      return text;
  }
}

/** Integers that a JavaScript number cannot hold become texts. */
function parseJson(text: string): Value {
  const exact = (_key: string, value: unknown, context?: { source?: string }): unknown =>
    typeof value === "number" && Number.isInteger(value) && !Number.isSafeInteger(value)
      ? (context?.source ?? value)
      : value;
  return JSON.parse(text, exact) as Value;
}
