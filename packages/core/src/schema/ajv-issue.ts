import type { StandardSchemaV1 } from "@standard-schema/spec";
import type { ErrorObject } from "ajv";

type Issue = StandardSchemaV1.Issue;

/** An error of Ajv's in the words that `describeIssues` knows. */
export function toIssue({
  instancePath,
  propertyName,
  keyword,
  params,
  message = keyword,
}: ErrorObject): Issue {
  const path = instancePath
    .split("/")
    .slice(1)
    .map((step) => step.replaceAll("~1", "/").replaceAll("~0", "~"));
  // An error of a key's name, and not of what stands under it.
  if (propertyName !== undefined) path.push(propertyName);
  const read = (name: string): string => String(Reflect.get(params, name));
  const clue = (more: Record<string, unknown>): Issue => ({ path, message, keyword, ...more }) as Issue;
  const below = (name: string): string[] => [...path, read(name)];
  switch (keyword) {
    case "required":
      return clue({ path: below("missingProperty"), message: MISSING });
    case "dependentRequired":
      return clue({ path: below("missingProperty"), message: `${MISSING} beside ${read("property")}` });
    case "additionalProperties":
      return clue({ code: "unrecognized_keys", keys: [read("additionalProperty")] });
    case "unevaluatedProperties":
      return clue({ code: "unrecognized_keys", keys: [read("unevaluatedProperty")] });
    case "propertyNames":
      return clue({ path: below("propertyName"), message: "expected another name for this key" });
    case "anyOf":
    case "oneOf":
      return clue({ code: "invalid_union" });
    case "format":
      return clue({ code: "invalid_format", format: read("format") });
    default:
      return clue({ message: WORDS.get(keyword) ?? message });
  }
}

const MISSING = "expected a value, but it is missing";
/** For keywords whose error as Ajv writes it tells a model too little. */
const WORDS: ReadonlyMap<string, string> = new Map([
  ["contains", "expected an item of the kind that the schema's contains asks for"],
  ["false schema", "expected nothing here"],
  ["not", "expected a value other than what the schema's not excludes"],
]);
