import { type } from "arktype";
import { describe, expect, it } from "vitest";
import { z } from "zod";
import { z as foreign } from "zod-foreign";
import { z as three } from "zod3";
import type { InputSchema } from "./input-schema.ts";
import { jsonSchema } from "./raw-schema.ts";
import { toJsonSchema } from "./to-json-schema.ts";
import { describeProblems, validate } from "./validate.ts";

async function problems(schema: InputSchema, value: Record<string, unknown>): Promise<string[]> {
  const result = await validate(value, schema, toJsonSchema(schema, "test"));
  return result.ok ? [] : describeProblems(result.problems).split("\n");
}

describe.each([
  ["zod 4", z],
  ["another copy of zod 4", foreign as unknown as typeof z],
  ["zod 3", three as unknown as typeof z],
])("plain objects of %s are closed", (_, lib) => {
  const inner = lib.object({ depth: lib.number().optional() });
  const arms = [
    lib.object({ kind: lib.literal("a"), size: lib.number(), in: inner.optional() }),
    lib.object({ kind: lib.literal("b"), name: lib.string() }),
  ] as const;
  const base = lib.object({ ident: lib.string() });

  it.each<[string, InputSchema, Record<string, unknown>, string[]]>([
    ["at the root", base, { ident: "x", idnt: 1 }, ['idnt: unknown key; did you mean "ident"?']],
    [
      "in properties",
      lib.object({ in: inner }),
      { in: { deph: 1 } },
      ['in.deph: unknown key; did you mean "depth"?'],
    ],
    [
      "in lists",
      lib.object({ in: lib.array(inner) }),
      { in: [{}, { x: 1 }] },
      ["in[1].x: unknown key; known are depth"],
    ],
    [
      "in tuples",
      lib.object({ in: lib.tuple([inner]) }),
      { in: [{ x: 1 }] },
      ["in[0].x: unknown key; known are depth"],
    ],
    [
      "in records",
      lib.object({ in: lib.record(lib.string(), inner) }),
      { in: { any: { x: 1 } } },
      ["in.any.x: unknown key; known are depth"],
    ],
    [
      "in optional and nullable ones",
      lib.object({ in: inner.nullable().optional() }),
      { in: { x: 1 } },
      ["in.x: unknown key; known are depth"],
    ],
    [
      "in the branch of a tag",
      lib.object({ u: lib.discriminatedUnion("kind", [...arms]) }),
      { u: { kind: "b", name: "x", nam: 1 } },
      ['u.nam: unknown key; did you mean "name"?'],
    ],
    [
      "below the branch of a tag",
      lib.object({ u: lib.discriminatedUnion("kind", [...arms]) }),
      { u: { kind: "a", size: 1, in: { x: 1 } } },
      ["u.in.x: unknown key; known are depth"],
    ],
    [
      "of another branch",
      lib.object({ u: lib.discriminatedUnion("kind", [...arms]) }),
      { u: { kind: "a", size: 1, name: "x" } },
      ["u.name: unknown key; known are kind, size or in"],
    ],
    [
      "in the matching branch of a union",
      lib.object({ u: lib.union([base, inner]) }),
      { u: { ident: "x", idnt: 1 } },
      ['u.idnt: unknown key; did you mean "ident"?'],
    ],
    [
      "in a union at the root",
      lib.union([base, lib.object({ other: lib.number() })]) as never,
      { other: 1, oter: 2 },
      ['oter: unknown key; did you mean "other"?'],
    ],
    [
      "in a union of lists",
      lib.object({ u: lib.union([lib.array(base), lib.string()]) }),
      { u: [{ ident: "x", x: 1 }] },
      ["u[0].x: unknown key; known are ident"],
    ],
    [
      "in intersections",
      lib.object({ i: lib.intersection(base, inner) }),
      { i: { ident: "x", depth: 1, x: 1 } },
      ["i.x: unknown key; known are ident or depth"],
    ],
    [
      "in an intersection with a union",
      lib.object({ i: lib.intersection(base, lib.discriminatedUnion("kind", [...arms])) }),
      { i: { ident: "x", kind: "b", name: "x", nam: 1 } },
      ['i.nam: unknown key; did you mean "name"?'],
    ],
    [
      "in three parts",
      base.and(inner).and(lib.object({ third: lib.string() })) as never,
      { ident: "x", third: "y", thrid: "z" },
      ['thrid: unknown key; did you mean "third"?'],
    ],
  ])("%s", async (__, schema, value, expected) => {
    expect(await problems(schema, value)).toEqual(expected);
  });

  it.each<[string, InputSchema, Record<string, unknown>]>([
    ["passthrough", base.passthrough(), { ident: "x", more: 1 }],
    ["records", lib.object({ r: lib.record(lib.string(), lib.number()) }), { r: { any: 1 } }],
    ["catchalls", lib.object({ c: base.catchall(lib.number()) }), { c: { ident: "x", more: "1" } }],
    [
      "an intersection with a record",
      lib.object({ i: lib.intersection(base, lib.record(lib.string(), lib.string())) }),
      { i: { ident: "x", more: "y" } },
    ],
    [
      "an intersection with passthrough",
      lib.object({ i: lib.intersection(base, inner.passthrough()) }),
      { i: { ident: "x", more: "y" } },
    ],
    [
      "both key sets of an intersection",
      lib.object({ i: lib.intersection(base, inner) }),
      { i: { ident: "x", depth: 1 } },
    ],
  ])("and %s stay open", async (__, schema, value) => {
    expect(await problems(schema, value)).toEqual([]);
  });

  it("and a catchall's values are judged", async () => {
    expect(await problems(base.catchall(lib.number()), { ident: "x", more: "y" })).toEqual([
      'more: expected a number, received "y"',
    ]);
  });
});

describe("other schemas keep their own rules", () => {
  it("ArkType ignores unknown keys unless told to reject them", async () => {
    const open = type({ name: "string" });
    expect(toJsonSchema(open, "test")).not.toHaveProperty("additionalProperties");
    expect(await validate({ name: "x", more: 1 }, open, toJsonSchema(open, "test"))).toMatchObject({
      ok: true,
    });
    expect(await problems(type({ "+": "reject", name: "string" }), { name: "x", nme: 1 })).toEqual([
      'nme: unknown key; did you mean "name"?',
    ]);
  });

  it.each<[string, Record<string, unknown>, Record<string, unknown>, string[]]>([
    ["open by default", { properties: { a: {} } }, { b: 1 }, []],
    [
      "additionalProperties: false",
      { properties: { alpha: {} }, additionalProperties: false },
      { alpa: 1 },
      ['alpa: unknown key; did you mean "alpha"?'],
    ],
    [
      "unevaluatedProperties: false",
      { allOf: [{ properties: { alpha: {} } }], properties: { beta: {} }, unevaluatedProperties: false },
      { alpha: 1, beta: 1, bta: 1 },
      ['bta: unknown key; did you mean "beta"?'],
    ],
    [
      "patternProperties",
      { patternProperties: { "^x": {} }, additionalProperties: false },
      { x1: 1, y: 1 },
      ["y: unknown key; none are taken"],
    ],
    [
      "a schema for the rest",
      { additionalProperties: { type: "number" } },
      { a: "1", b: "c" },
      ['b: expected a number, received "c"'],
    ],
  ])("a raw JSON Schema's: %s", async (_, schema, value, expected) => {
    expect(await problems(jsonSchema({ type: "object", ...schema }), value)).toEqual(expected);
  });
});
