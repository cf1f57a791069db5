import { describe, expect, it } from "vitest";
import { isSetupError } from "../errors.ts";
import { jsonSchema } from "./raw-schema.ts";
import { toJsonSchema } from "./to-json-schema.ts";
import { describeProblems, validate } from "./validate.ts";

type Raw = Record<string, unknown>;
const DRAFT_04 = "http://json-schema.org/draft-04/schema#";
const DRAFT_07 = "http://json-schema.org/draft-07/schema#";
const YEAR_2019 = "https://json-schema.org/draft/2019-09/schema";
const YEAR_2020 = "https://json-schema.org/draft/2020-12/schema";

const of = (x: unknown, more: Raw = {}): Raw => ({ type: "object", properties: { x }, ...more });

async function problems(schema: Raw, value: Raw): Promise<string> {
  const input = jsonSchema(schema);
  const result = await validate(value, input, toJsonSchema(input, "test"));
  return result.ok ? "" : describeProblems(result.problems);
}

describe("the dialect", () => {
  const tuple = { type: "array", items: [{ type: "number" }], additionalItems: false };
  it.each<[what: string, schema: Raw, good: unknown, bad: unknown]>([
    ["2020-12 by $schema", of({ type: "array", prefixItems: [{ type: "number" }], items: false }, { $schema: YEAR_2020 }), [1], [1, 2]],
    ["2020-12 where nothing is said", of({ type: "array", prefixItems: [{ type: "number" }], items: false }), [1], [1, 2]],
    ["draft-07 by $schema", of(tuple, { $schema: DRAFT_07 }), [1], [1, 2]],
    ["draft-07 by https and without #", of(tuple, { $schema: "https://json-schema.org/draft-07/schema" }), [1], [1, 2]],
    ["draft-07 where its tuples are used", of(tuple), [1], [1, 2]],
    ["2019-09 by $schema", of(tuple, { $schema: YEAR_2019 }), [1], [1, 2]],
    ["draft-06", of({ exclusiveMinimum: 1 }, { $schema: "http://json-schema.org/draft-06/schema#" }), 2, 1],
    ["draft-04's exclusive bounds", of({ minimum: 1, exclusiveMinimum: true }, { $schema: DRAFT_04 }), 2, 1],
    ["draft-04's id", { $schema: DRAFT_04, id: "http://x.example/root", type: "object", properties: { x: { $ref: "http://x.example/n" } }, definitions: { n: { id: "http://x.example/n", type: "number" } } }, 1, true],
    ["keywords beside $ref in draft-07", of({ $ref: "#/definitions/n", maximum: 1 }, { $schema: DRAFT_07, definitions: { n: { type: "number" } } }), 2, true],
    ["keywords beside $ref in 2020-12", of({ $ref: "#/$defs/n", maximum: 1 }, { $defs: { n: { type: "number" } } }), 1, 2],
    ["dependencies", { $schema: DRAFT_07, type: "object", properties: { x: {} }, dependencies: { x: { properties: { x: { type: "number" } } } } }, 1, true],
    ["an anchor", of({ $ref: "#n" }, { $defs: { n: { $anchor: "n", type: "number" } } }), 1, true],
    ["an id within", of({ $ref: "https://x.example/n" }, { $defs: { n: { $id: "https://x.example/n", type: "number" } } }), 1, true],
    ["a reference through an old tuple", of({ $ref: "#/properties/t/items/0" }, { $schema: DRAFT_07, properties: { x: { $ref: "#/properties/t/items/0" }, t: tuple } }), 1, true],
    ["OpenAPI's nullable", of({ type: "number", nullable: true }), null, "x"],
    ["a format", of({ type: "string", format: "date-time" }), "2020-01-02T03:04:05Z", "yesterday"],
    ["a format that nobody knows", of({ type: "string", format: "colour" }), "red", 1],
    ["int64", of({ type: "integer", format: "int64" }), 5, 1.5],
    ["full Unicode in patterns", of({ type: "string", pattern: "^\\p{L}+$" }), "é", "1"],
    ["patterns of older JavaScript", of({ type: "string", pattern: "^[\\w-.\\@]+$" }), "a-b@c", "a b"],
    ["a recursive schema", { type: "object", properties: { x: { $ref: "#" } }, additionalProperties: false }, { x: { x: {} } }, { x: { y: 1 } }],
    ["the meta-schema of 2020-12", of({ $ref: YEAR_2020 }), { type: "string" }, { type: 7 }],
  ])("%s", async (_, schema, good, bad) => {
    expect(await problems(schema, { x: good })).toBe("");
    expect(await problems(schema, { x: bad })).not.toBe("");
  }); // prettier-ignore

  it("is told to models as 2020-12, with pointers for references", () => {
    const schema = {
      $schema: DRAFT_07,
      $id: "https://x.example/tool",
      type: "object",
      properties: {
        pair: { items: [{ $ref: "#n" }, true], additionalItems: { $ref: "#/properties/pair/items/0" } },
      },
      dependencies: { pair: ["other"], other: { minProperties: 1 } },
      definitions: { n: { $id: "#n", type: "number" } },
    };
    expect(toJsonSchema(jsonSchema(schema), "test")).toEqual({
      type: "object",
      properties: {
        pair: {
          prefixItems: [{ $ref: "#/definitions/n" }, true],
          items: { $ref: "#/properties/pair/prefixItems/0" },
        },
      },
      dependentRequired: { pair: ["other"] },
      dependentSchemas: { other: { minProperties: 1 } },
      definitions: { n: { type: "number" } },
    });
  });
});

const nested = (depth: number): Raw => {
  let schema: Raw = { type: "number" };
  for (let level = 0; level < depth; level++) schema = { type: "array", items: schema };
  return of(schema);
};

describe("a raw schema that cannot be used says where", () => {
  it.each<[what: string, schema: Raw, message: string]>([
    ["an external reference", of({ $ref: "https://example.com/a.json" }), 'properties.x: $ref "https://example.com/a.json" leads outside of the schema; it is not fetched'],
    ["a file beside it", of({ $ref: "other.json#/a" }), 'properties.x: $ref "other.json#/a" leads outside of the schema; it is not fetched'],
    ["a reference to nothing", of({ $ref: "#/$defs/a" }), 'properties.x: $ref "#/$defs/a" names nothing in the schema'],
    ["an anchor that isn't there", of({ $ref: "#a" }), 'properties.x: $ref "#a" names nothing in the schema'],
    ["an unknown dialect", { $schema: "http://json-schema.org/draft-03/schema#" }, '$schema "http://json-schema.org/draft-03/schema#" is no dialect that is known'],
    ["an unknown type", of({ type: "any" }), 'properties.x.type: it must be a type or a list of types, not "any"'],
    ["required as in draft-03", of({ type: "string", required: true }), "properties.x.required: it must be a list of names, not true"],
    ["properties that are no schemas", { type: "object", properties: { x: "string" } }, 'properties: it must be an object of schemas, not {"x":"string"}'],
    ["an empty enum", of({ enum: [] }), "properties.x.enum: it must be a list of values, not []"],
    ["a bound that is a text", of({ anyOf: [{ minimum: "3" }] }), 'properties.x.anyOf.0.minimum: it must be a number, not "3"'],
    ["a negative length", of({ minLength: -1 }), "properties.x.minLength: it must be a whole number from 0, not -1"],
    ["an empty union", of({ anyOf: [] }), "properties.x.anyOf: it must be a list of schemas, not []"],
    ["a schema without an end", nested(20_000), "the schema is nested too deep"],
    ["a very deep schema", nested(1000), "the schema is nested too deep"],
    ["no object", { type: "string" }, "the input schema must be an object"],
    ["a list", [] as unknown as Raw, "a JSON Schema is an object"],
  ])("%s", async (_, schema, message) => {
    const input = jsonSchema(schema);
    expect(() => toJsonSchema(input, "tool t")).toThrow(`tool t: ${message}`);
    // The validator alone, without the description, is no way around it.
    const refused = await Promise.resolve(input["~standard"].validate({})).catch((error: unknown) => error);
    expect(isSetupError(refused) || schema.type === "string").toBe(true);
  }); // prettier-ignore
});

describe("jsonSchema", () => {
  it.each([
    ["(?i)^asc$", "Which way. Matches the pattern (?i)^asc$."],
    ["(?P<word>x)", "Which way. Matches the pattern (?P<word>x)."],
    [String.raw`\Ax\Z`, String.raw`Which way. Matches the pattern \Ax\Z.`],
  ])(
    "tells a pattern that JavaScript cannot compile, and does not check it: %s",
    async (pattern, description) => {
      const schema = of({ type: "string", pattern, description: "Which way." });
      expect(await problems(schema, { x: "whatever" })).toBe("");
      expect(toJsonSchema(jsonSchema(schema), "test").properties?.x).toEqual({ type: "string", description });
    },
  );

  it("opens an object whose patternProperties cannot be compiled", async () => {
    const schema = {
      type: "object",
      patternProperties: { "(?i)^x": { type: "number" } },
      additionalProperties: false,
    };
    expect(await problems(schema, { X1: 1 })).toBe("");
  });

  it("fills in no defaults, converts no types and mutates nothing", async () => {
    const schema = jsonSchema(of({ type: "number", default: 3 }));
    const value = Object.freeze({ y: Object.freeze([1]) });
    const result = await schema["~standard"].validate(value);
    expect(result).toEqual({ value });
    expect("value" in result && result.value).toBe(value);
    expect(await schema["~standard"].validate({ x: "1" })).toHaveProperty("issues");
    expect(await schema["~standard"].validate({ x: null })).toHaveProperty("issues");
  });

  it("is checked at once after the first time, and keeps apart from others with the same ids", async () => {
    const one = jsonSchema({ $id: "https://x.example/s", type: "object", required: ["a"] });
    const two = jsonSchema({ $id: "https://x.example/s", type: "object", required: ["b"] });
    await Promise.all([
      one["~standard"].validate({}),
      one["~standard"].validate({}),
      two["~standard"].validate({}),
    ]);
    expect(one["~standard"].validate({ a: 1 })).toEqual({ value: { a: 1 } });
    expect(two["~standard"].validate({ b: 1 })).toEqual({ value: { b: 1 } });
  });

  it("takes what other servers write: $async, an empty properties list, unknown keywords", async () => {
    const schema = {
      $async: true,
      type: "object",
      properties: [],
      "x-order": 1,
      discriminator: { propertyName: "a" },
    };
    expect(await problems(schema, { a: 1 })).toBe("");
    expect(await problems({ type: "object", properties: { a: { nullable: true } } }, { a: 1 })).toBe("");
  });

  it("is done with unions that lead to themselves, however deep the value", async () => {
    const operation = (op: string): Raw => ({
      type: "object",
      properties: { left: { $ref: "#/$defs/e" }, right: { $ref: "#/$defs/e" }, op: { const: op } },
      required: ["op", "left", "right"],
      additionalProperties: false,
    });
    const $defs = { e: { oneOf: [operation("+"), operation("-"), operation("*"), { type: "number" }] } };
    const chain = (leaf: unknown): unknown => {
      let value = leaf;
      for (let depth = 0; depth < 100; depth++) value = { left: value, right: "1", op: "*" };
      return value;
    };
    const schema = of({ $ref: "#/$defs/e" }, { $defs });
    expect(await problems(schema, { x: chain("2") })).toBe("");
    expect(await problems(schema, { x: chain("two") })).toMatch(
      /^x\.left\.left.*…\.?left.*left: expected .*received "two"$/,
    );
  });

  it("tells the nearest branch of a union and leaves the others' noise out", async () => {
    const branch = (kind: string, key: string): Raw => ({
      type: "object",
      properties: { kind: { const: kind }, [key]: { type: "number" } },
      required: ["kind", key],
      additionalProperties: false,
    });
    const schema = of({ oneOf: [branch("a", "one"), branch("b", "two"), branch("c", "three")] });
    expect(await problems(schema, { x: { kind: "b", two: "x" } })).toBe(
      'x.two: expected a number, received "x"',
    );
    expect(await problems(schema, { x: { kind: "b" } })).toBe("x.two: expected a number, but it is missing");
    expect(await problems(schema, { x: 7 })).toBe(
      "x: expected an object with kind, one, an object with kind, two or an object with kind, three, received 7",
    );
  });

  it("has words for what else a schema may ask", async () => {
    const schema = {
      type: "object",
      properties: { a: {}, b: {}, list: { contains: { const: 1 } }, no: { not: { type: "string" } } },
      propertyNames: { maxLength: 4 },
      dependentRequired: { a: ["b"] },
      if: { required: ["no"] },
      then: { required: ["list"] },
    };
    expect((await problems(schema, { a: 1, no: "x", longer: 1 })).split("\n").toSorted()).toEqual([
      "b: expected a value, but it is missing beside a",
      "list: expected a value, but it is missing",
      "longer: expected another name for this key",
      "longer: expected at most 4 characters",
      "no: expected a value other than what the schema's not excludes",
    ]);
  });
});
