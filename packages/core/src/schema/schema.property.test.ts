import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { z } from "zod";
import { z as three } from "zod3";
import { coerce } from "./coerce.ts";
import type { InputSchema } from "./input-schema.ts";
import { isRecord, type JsonSchema } from "./json-schema.ts";
import { Judge } from "./judge.ts";
import { jsonSchema } from "./raw-schema.ts";
import type { AnySchema } from "./subschemas.ts";
import { toJsonSchema } from "./to-json-schema.ts";
import { validate } from "./validate.ts";

const soak = process.env.TOYCODER_SOAK === "1";
const numRuns = soak ? 5000 : 150;

/** A schema with a way to make values of it, so that a value needn't be found by trying. */
interface Made {
  schema: JsonSchema;
  values: fc.Arbitrary<unknown>;
}

const KEYS = ["a", "b", "long_name", "__proto__", "constructor", "x y"];
const record = (entries: readonly (readonly [string, unknown])[]): Record<string, unknown> =>
  Object.fromEntries(entries);

const scalar: fc.Arbitrary<Made> = fc.oneof(
  fc.constant<Made>({ schema: { type: "string" }, values: fc.string() }),
  fc.constant<Made>({
    schema: { type: "string" },
    values: fc.constantFrom("1", "true", "null", '{"a":1}', "[1]", " 2 ", "1e3", ""),
  }),
  fc.constant<Made>({
    schema: { type: "integer", minimum: -9, maximum: 9 },
    values: fc.integer({ min: -9, max: 9 }),
  }),
  fc.constant<Made>({
    schema: { type: "number" },
    values: fc.double({ noNaN: true, min: -1e6, max: 1e6 }).map((x) => x + 0),
  }),
  fc.constant<Made>({ schema: { type: "boolean" }, values: fc.boolean() }),
  fc.constant<Made>({ schema: { type: "null" }, values: fc.constant(null) }),
  fc.constant<Made>({ schema: { type: ["number", "null"] }, values: fc.constantFrom(null, 1, -0.5) }),
  fc.constant<Made>({ schema: { enum: ["1", 2, true, null] }, values: fc.constantFrom("1", 2, true, null) }),
  fc.constant<Made>({ schema: { const: "7" }, values: fc.constant("7") }),
  fc.constant<Made>({
    schema: {},
    values: fc.jsonValue().map((x) => JSON.parse(JSON.stringify(x)) as unknown),
  }),
);

const objectOf = (properties: readonly (readonly [string, Made, boolean])[], closed: boolean): Made => {
  const required = properties.filter(([, , needed]) => needed).map(([key]) => key);
  return {
    schema: {
      type: "object",
      properties: record(properties.map(([key, { schema }]) => [key, schema])) as Record<string, JsonSchema>,
      ...(required.length > 0 && { required }),
      ...(closed && { additionalProperties: false }),
    },
    values: fc
      .tuple(
        ...properties.map(([key, { values }, needed]) =>
          fc.tuple(fc.constant(key), values, needed ? fc.constant(true) : fc.boolean()),
        ),
      )
      .map((entries) =>
        record(entries.filter(([, , present]) => present).map(([key, value]) => [key, value] as const)),
      ),
  };
};

const { made, object } = fc.letrec<{ made: Made; object: Made }>((tie) => ({
  made: fc.oneof(
    { maxDepth: 4, withCrossShrink: true },
    scalar,
    tie("object"),
    tie("made").map(({ schema, values }) => ({
      schema: { type: "array", items: schema },
      values: fc.array(values, { maxLength: 3 }),
    })),
    fc.tuple(tie("made"), tie("made")).map(([first, rest]) => ({
      schema: { type: "array", prefixItems: [first.schema], items: rest.schema, minItems: 1 },
      values: fc
        .tuple(first.values, fc.array(rest.values, { maxLength: 2 }))
        .map(([one, more]) => [one, ...more]),
    })),
    tie("made").map(({ schema, values }) => ({
      schema: { type: "object", additionalProperties: schema },
      values: fc.array(fc.tuple(fc.constantFrom(...KEYS), values), { maxLength: 3 }).map(record),
    })),
    fc.array(tie("made"), { minLength: 1, maxLength: 3 }).map((branches) => ({
      schema: { anyOf: branches.map(({ schema }) => schema) },
      values: fc.oneof(...branches.map(({ values }) => values)),
    })),
    tie("object").map(({ schema, values }) => ({ schema: { allOf: [schema, { type: "object" }] }, values })),
  ),
  object: fc
    .tuple(
      fc.uniqueArray(fc.tuple(fc.constantFrom(...KEYS), tie("made"), fc.boolean()), {
        selector: ([key]) => key,
        maxLength: 4,
      }),
      fc.boolean(),
    )
    .map(([properties, closed]) => objectOf(properties, closed)),
}));

const withValue = (schemas: fc.Arbitrary<Made>): fc.Arbitrary<[JsonSchema, unknown]> =>
  schemas.chain(({ schema, values }) => fc.tuple(fc.constant(schema), values));

/** Everything of a value as models write it: numbers, booleans, objects and lists as texts. */
const asTexts = (value: unknown): unknown =>
  isRecord(value)
    ? JSON.stringify(record(Object.entries(value).map(([key, item]) => [key, asTexts(item)])))
    : Array.isArray(value)
      ? JSON.stringify(value.map(asTexts))
      : typeof value === "number" || typeof value === "boolean"
        ? ` ${String(value)} `
        : value;

/** Whether a schema takes no strings anywhere: then every text in a value stands for something else. */
const takesNoText = (schema: AnySchema): boolean =>
  isRecord(schema) &&
  (schema.type !== undefined || schema.anyOf !== undefined) &&
  schema.type !== "string" &&
  [
    ...Object.values(schema.properties ?? {}),
    ...(schema.anyOf ?? []),
    ...((schema.prefixItems as AnySchema[] | undefined) ?? []),
    schema.items ?? false,
    schema.additionalProperties ?? false,
  ].every((inner) => inner === false || takesNoText(inner));

/** Freezes a value all the way down: what would change it then throws. */
const frozen = <T>(value: T): T => {
  if (typeof value === "object" && value !== null) Object.values(value).forEach(frozen);
  return Object.freeze(value);
};

const check = async <T>(property: fc.IAsyncProperty<T>): Promise<void> => {
  await fc.assert(property, { seed: 20, numRuns });
};

describe("for random schemas and values of them", () => {
  test("encode, decode and validate give the value back, and change nothing of it", async () => {
    await check(
      fc.asyncProperty(withValue(object), async ([schema, value]) => {
        const input = jsonSchema(schema);
        const arguments_ = frozen(JSON.parse(JSON.stringify(value)) as Record<string, unknown>);
        const result = await validate(arguments_, input, toJsonSchema(input, "test"));
        expect(result).toEqual({ ok: true, value: JSON.parse(JSON.stringify(value)) as unknown });
        // Nothing had to be converted: it is the very same object.
        expect(result.ok && result.value).toBe(arguments_);
      }),
    );
  });

  test("what a model wrote as texts becomes the value again, where no text is taken", async () => {
    await check(
      fc.asyncProperty(
        withValue(object.filter(({ schema }) => takesNoText(schema))),
        async ([schema, value]) => {
          const plain = JSON.parse(JSON.stringify(value)) as Record<string, unknown>;
          const written = frozen(record(Object.entries(plain).map(([key, item]) => [key, asTexts(item)])));
          const input = jsonSchema(schema);
          expect(await validate(written, input, toJsonSchema(input, "test"))).toEqual({
            ok: true,
            value: plain,
          });
        },
      ),
    );
  });

  test("coercion is done after one time, and shares what it leaves", async () => {
    await check(
      fc.asyncProperty(object, fc.jsonValue(), async ({ schema }, value) => {
        const once = coerce(frozen(value), schema);
        expect(coerce(once, schema)).toBe(once);
      }),
    );
  });

  test("the judge and the validator are of one mind", async () => {
    await check(
      fc.asyncProperty(made, fc.jsonValue(), async ({ schema }, value) => {
        const plain = JSON.parse(JSON.stringify(value)) as unknown;
        const input = jsonSchema({ type: "object", properties: { x: schema }, required: ["x"] });
        const result = await input["~standard"].validate({ x: plain });
        expect(new Judge(schema).misfits(plain, schema).length === 0).toBe(result.issues === undefined);
      }),
    );
  });
});

/** The same random schema in zod 4 and zod 3. */
interface Twins {
  four: z.ZodType;
  three: three.ZodType;
  values: fc.Arbitrary<unknown>;
}
const twinsOf = (four: z.ZodType, old: three.ZodType, values: fc.Arbitrary<unknown>): Twins => ({
  four,
  three: old,
  values,
});
const { twins } = fc.letrec<{ twins: Twins }>((tie) => ({
  twins: fc.oneof(
    { maxDepth: 3 },
    fc.constant(twinsOf(z.string(), three.string(), fc.string())),
    fc.constant(twinsOf(z.int(), three.number().int(), fc.integer())),
    fc.constant(twinsOf(z.boolean(), three.boolean(), fc.boolean())),
    tie("twins").map((it) =>
      twinsOf(z.array(it.four), three.array(it.three), fc.array(it.values, { maxLength: 3 })),
    ),
    tie("twins").map((it) => twinsOf(it.four.nullable(), it.three.nullable(), fc.option(it.values))),
    fc.array(fc.tuple(tie("twins"), fc.boolean()), { minLength: 1, maxLength: 3 }).map((fields) => {
      const shape = <T>(make: (it: Twins, needed: boolean) => T): Record<string, T> =>
        Object.fromEntries(fields.map(([it, needed], index) => [`k${index}`, make(it, needed)]));
      return twinsOf(
        z.object(shape((it, needed) => (needed ? it.four : it.four.optional()))),
        three.object(shape((it, needed) => (needed ? it.three : it.three.optional()))),
        fc.record(shape((it) => it.values)),
      );
    }),
  ),
}));

test("zod 4 and zod 3 take the same values, and refuse the same unknown key", async () => {
  await check(
    fc.asyncProperty(
      twins.chain((it) => fc.tuple(fc.constant(it), it.values)),
      async ([it, value]) => {
        for (const schema of [z.object({ x: it.four }), three.object({ x: it.three })] as InputSchema[]) {
          const json = toJsonSchema(schema, "test");
          expect(await validate(frozen({ x: value }), schema, json)).toEqual({
            ok: true,
            value: { x: value },
          });
          expect(await validate({ x: value, y: 1 }, schema, json)).toMatchObject({
            ok: false,
            problems: [{ path: ["y"] }],
          });
        }
      },
    ),
  );
});
