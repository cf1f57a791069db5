/**
 * What a schema in strict form may measure. OpenAI docs, Structured Outputs, "Supported schemas": 5,000 object
 * properties, 10 levels of nesting, 1,000 enum values, 120,000 characters in all names of properties and
 * definitions and all enum and const values; 15,000 in the values of one enum of more than 250 strings.
 */
const LIMITS = { properties: 5000, enumValues: 1000, characters: 120_000 };
const LONG_ENUM = { values: 250, characters: 15_000 };
export const MAX_NESTING = 10;

export interface SchemaSize {
  /** Counts a property's name. */
  property(name: string): void;
  definition(name: string): void;
  /** Counts the values of one `enum` or `const`. */
  literals(values: readonly unknown[]): void;
  /** The limits that are exceeded, in words. */
  exceeded(): string[];
}

export function createSize(): SchemaSize {
  const total = { properties: 0, enumValues: 0, characters: 0 };
  let longEnum = 0;
  return {
    property(name) {
      total.properties += 1;
      total.characters += name.length;
    },
    definition(name) {
      total.characters += name.length;
    },
    literals(values) {
      const characters = values.reduce<number>((sum, value) => sum + String(value).length, 0);
      total.enumValues += values.length;
      total.characters += characters;
      if (values.length > LONG_ENUM.values) longEnum = Math.max(longEnum, characters);
    },
    exceeded() {
      const over = (["properties", "enumValues", "characters"] as const)
        .filter((measure) => total[measure] > LIMITS[measure])
        .map((measure) => `more than ${LIMITS[measure]} ${measure}`);
      if (longEnum > LONG_ENUM.characters)
        over.push(`more than ${LONG_ENUM.characters} characters in an enum of more than ${LONG_ENUM.values}`);
      return over;
    },
  };
}
