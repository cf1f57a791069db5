import type { JsonSchema } from "@toycoder/core";

type Value = unknown;

/** An input that fits a schema, with its texts where they can be put: undefined where none is found. */
export function sampleInput(schema: JsonSchema): Record<string, Value> | undefined {
  const value = sample(schema, 0);
  return typeof value === "object" && value !== null && !Array.isArray(value)
    ? (value as Record<string, Value>)
    : undefined;
}

function sample(schema: unknown, depth: number): Value {
  if (typeof schema !== "object" || schema === null || depth > 8) return undefined;
  const {
    const: constant,
    enum: values,
    default: preset,
    examples,
    anyOf,
    oneOf,
    type,
  } = schema as JsonSchema;
  if (constant !== undefined) return constant;
  if (Array.isArray(values)) return values[0];
  if (Array.isArray(examples)) return examples[0];
  if (preset !== undefined) return preset;
  const [branch] = (anyOf ?? oneOf ?? []) as JsonSchema[];
  if (branch !== undefined) return sample(branch, depth + 1);
  switch (Array.isArray(type) ? type[0] : type) {
    case "string":
      return text(schema as JsonSchema);
    case "integer":
    case "number":
      return number(schema as JsonSchema);
    case "boolean":
      return false;
    case "array":
      return [sample((schema as JsonSchema).items, depth + 1)].filter((one) => one !== undefined);
    case "object": {
      const { properties = {}, required } = schema as JsonSchema;
      const names = Array.isArray(required) ? required : [];
      return Object.fromEntries(names.map((name: string) => [name, sample(properties[name], depth + 1)]));
    }
    default:
      return undefined;
  }
}

const FORMATS: Readonly<Record<string, string>> = {
  email: "someone@example.com",
  uri: "https://example.com/",
  url: "https://example.com/",
  date: "2026-01-02",
  "date-time": "2026-01-02T03:04:05Z",
  uuid: "123e4567-e89b-42d3-a456-426614174000",
};

function text({ format, minLength }: JsonSchema): string {
  const known = typeof format === "string" ? FORMATS[format] : undefined;
  return known ?? "sample".padEnd(typeof minLength === "number" ? minLength : 0, "x");
}

function number({ minimum, exclusiveMinimum }: JsonSchema): number {
  if (typeof minimum === "number") return minimum;
  return typeof exclusiveMinimum === "number" ? Math.floor(exclusiveMinimum) + 1 : 1;
}
