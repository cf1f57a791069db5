import type { WireRules } from "@toycoder/core/wire";

/** OpenAI docs, Structured Outputs, "Supported schemas": the formats of strings. */
const FORMATS: ReadonlySet<string> = new Set([
  "date-time", "time", "date", "duration", "email", "hostname", "ipv4", "ipv6", "uuid",
]); // prettier-ignore

/**
 * OpenAI API reference, tools: names are a-z, A-Z, 0-9, underscores and dashes, 64 characters at most. An array
 * without `items` is refused, strict or not ("array schema missing items").
 */
export const schemaRules = (strict: boolean): WireRules => ({
  names: { maxLength: 64, forbidden: /[^a-zA-Z0-9_-]/g },
  formats: FORMATS,
  arraysNeedItems: true,
  strict,
});

/** Call ids of another provider's conversation may be longer, or hold other characters. */
export const CALL_ID: RegExp = /^[a-zA-Z0-9_-]{1,40}$/;
