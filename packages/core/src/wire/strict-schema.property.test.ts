import fc from "fast-check";
import { expect, test } from "vitest";
import * as z from "zod";
import { dereference, isRecord, type JsonSchema } from "../schema/json-schema.ts";
import { toJsonSchema } from "../schema/to-json-schema.ts";
import { validate } from "../schema/validate.ts";
import { cleanSchema } from "./clean-schema.ts";
import { toStrictSchema } from "./strict-schema.ts";

const numRuns = process.env.TOYCODER_SOAK === "1" ? 4000 : 500;

/** Schemas of what tools take: every kind that strict mode can say, nested, optional, nullable, with defaults. */
const { schema: schemas } = fc.letrec<{ schema: z.ZodType; object: z.ZodObject }>((tie) => ({
  schema: fc.oneof(
    { maxDepth: 3, withCrossShrink: true },
    fc.constantFrom<z.ZodType>(z.string(), z.number(), z.int(), z.boolean(), z.null()),
    fc.constantFrom<z.ZodType>(z.enum(["a", "b"]), z.literal("x"), z.literal(1), z.int().min(1).max(9)),
    tie("object"),
    tie("schema").map((item) => z.array(item)),
    fc.tuple(tie("schema"), tie("schema")).map((branches) => z.union(branches)),
    tie("schema").map((inner) => z.nullable(inner)),
  ),
  object: fc
    .dictionary(
      fc.constantFrom("a", "b", "c", "d"),
      fc.tuple(tie("schema"), fc.constantFrom("required", "optional", "nullish")),
      { maxKeys: 4 },
    )
    .map((shape) =>
      z.object(
        Object.fromEntries(
          Object.entries(shape).map(([name, [inner, how]]) => [
            name,
            how === "required" ? inner : how === "optional" ? inner.optional() : inner.nullish(),
          ]),
        ),
      ),
    ),
}));
const objects = fc
  .dictionary(fc.constantFrom("p", "q", "r"), schemas, { maxKeys: 3 })
  .map((shape) =>
    z.object(
      Object.fromEntries(
        Object.entries(shape).map(([name, inner], index) => [
          name,
          index % 2 === 0 ? inner.optional() : inner,
        ]),
      ),
    ),
  );

/** Any value that a server may send under strict mode. */
function values(schema: JsonSchema, root: JsonSchema): fc.Arbitrary<unknown> {
  const target = dereference(schema, root);
  if (target.anyOf !== undefined)
    return fc.oneof(...target.anyOf.filter(isRecord).map((branch) => values(branch, root)));
  if (target.const !== undefined) return fc.constant(target.const);
  if (target.enum !== undefined) return fc.constantFrom(...target.enum);
  if (Array.isArray(target.type))
    return fc.oneof(...target.type.map((type) => values({ ...target, type }, root)));
  const { minimum = -100, maximum = 100 } = target as { minimum?: number; maximum?: number };
  switch (target.type) {
    case "object":
      return fc.record(
        Object.fromEntries(
          Object.entries(target.properties ?? {}).map(([name, own]) => [
            name,
            values(own as JsonSchema, root),
          ]),
        ),
      );
    case "array":
      return fc.array(values(target.items as JsonSchema, root), { maxLength: 3 });
    case "integer":
      return fc.integer({ min: minimum, max: maximum });
    case "number":
      return fc.double({ min: minimum, max: maximum, noNaN: true });
    case "boolean":
      return fc.boolean();
    case "null":
      return fc.constant(null);
    default:
      return fc.string({ maxLength: 3 });
  }
}

test("a value that is valid on the wire is, undone, valid for the real schema", async () => {
  await fc.assert(
    fc.asyncProperty(objects, fc.gen(), async (real, gen) => {
      const json = toJsonSchema(real, "test");
      const strict = toStrictSchema(cleanSchema(json, { formats: new Set() }, []), []);
      fc.pre("schema" in strict);
      if (!("schema" in strict)) return;
      const value = gen(values, strict.schema, strict.schema);
      const restored = strict.undo(value) as Record<string, unknown>;
      expect(await validate(restored, real, json)).toMatchObject({ ok: true });
    }),
    { seed: 7, numRuns },
  );
});
