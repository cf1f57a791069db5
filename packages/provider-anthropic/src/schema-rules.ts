import type { WireRules } from "@toycoder/core/wire";

/** The formats of Anthropic's structured outputs; the SDK's own list (`lib/transform-json-schema`). */
const FORMATS: ReadonlySet<string> = new Set([
  "date-time", "time", "date", "duration", "email", "hostname", "uri", "ipv4", "ipv6", "uuid",
]); // prettier-ignore

/**
 * Anthropic API reference, tools: names match ^[a-zA-Z0-9_-]{1,128}$. Of `input_schema`, the API judges the names
 * of the root's properties ("Property keys should match pattern '^[a-zA-Z0-9_.-]{1,64}$'"), and no deeper ones.
 * Schemas go as they are, not strict.
 */
export const SCHEMA_RULES: WireRules = {
  names: { maxLength: 128, forbidden: /[^a-zA-Z0-9_-]/g },
  properties: { maxLength: 64, forbidden: /[^a-zA-Z0-9_.-]/g },
  formats: FORMATS,
  strict: false,
};

/** Anthropic API reference: `tool_use.id` matches ^[a-zA-Z0-9_-]+$. */
export const CALL_ID: RegExp = /^[a-zA-Z0-9_-]{1,128}$/;
