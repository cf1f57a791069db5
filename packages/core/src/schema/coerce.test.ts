import { describe, expect, it } from "vitest";
import { z } from "zod";
import { coerce } from "./coerce.ts";
import { toJsonSchema } from "./to-json-schema.ts";

const json = (schema: z.ZodObject) => toJsonSchema(schema, "test");
const one = (schema: z.ZodType, value: unknown): unknown =>
  (coerce({ x: value }, json(z.object({ x: schema }))) as { x: unknown }).x;

describe("coerce", () => {
  it.each([
    ["number", z.number(), "1", 1],
    ["number", z.number(), "1.0", 1],
    ["number", z.number(), " 2 ", 2],
    ["number", z.number(), "1e3", 1000],
    ["number", z.number(), "-4.5", -4.5],
    ["number", z.number(), "", ""],
    ["number", z.number(), "0x10", "0x10"],
    ["number", z.number(), "NaN", "NaN"],
    ["number", z.number(), "Infinity", "Infinity"],
    ["number", z.number(), "1e999", "1e999"],
    ["number", z.number(), "12345678901234567890", "12345678901234567890"],
    ["number", z.number(), true, true],
    ["integer", z.number().int(), "7", 7],
    ["boolean", z.boolean(), "true", true],
    ["boolean", z.boolean(), "False", false],
    ["boolean", z.boolean(), "yes", "yes"],
    ["boolean", z.boolean(), "1", "1"],
    ["boolean", z.boolean(), 1, 1],
    ["string", z.string(), "1", "1"],
    ["string", z.string(), "true", "true"],
    ["string or number", z.union([z.string(), z.number()]), "1", "1"],
    ["number or null", z.number().nullable(), "1", 1],
    ["number or null", z.number().nullable(), null, null],
    ["enum", z.enum(["1", "2"]), "1", "1"],
    ["object", z.object({ a: z.number() }), '{"a":"1"}', { a: 1 }],
    ["object", z.object({ a: z.number() }), "[1]", "[1]"],
    ["object", z.object({ a: z.number() }), "{a:1}", "{a:1}"],
    ["array", z.array(z.number()), '["1",2]', [1, 2]],
    ["array", z.array(z.number()), ["1", 2], [1, 2]],
  ])("%s: %o %j becomes %j", (_, schema, value, expected) => {
    expect(one(schema, value)).toEqual(expected);
  });

  it("takes null out of an optional property, and out of no other", () => {
    const schema = json(
      z.object({
        a: z.string().optional(),
        b: z.string().nullish(),
        c: z.string(),
        d: z.number().default(1),
      }),
    );
    expect(coerce({ a: null, b: null, c: null, d: null }, schema)).toEqual({ b: null, c: null });
  });

  it("goes through references", () => {
    interface Node {
      n: number;
      next?: Node;
    }
    const node: z.ZodType<Node> = z.object({ n: z.number(), next: z.lazy(() => node).optional() });
    const schema = json(z.object({ node }));
    expect(coerce({ node: { n: "1", next: { n: "2" } } }, schema)).toEqual({
      node: { n: 1, next: { n: 2 } },
    });
  });

  it("never mutates, and shares what it does not change", () => {
    const value = Object.freeze({ a: Object.freeze({ n: "1" }), b: Object.freeze([1]) });
    const schema = json(z.object({ a: z.object({ n: z.number() }), b: z.array(z.number()) }));
    const result = coerce(value, schema) as typeof value;
    expect(value.a.n).toBe("1");
    expect(result.a.n).toBe(1);
    expect(result.b).toBe(value.b);
    const same = { a: { n: 1 }, b: [1] };
    expect(coerce(same, schema)).toBe(same);
  });
});
