import { describe, expect, it } from "vitest";
import { z } from "zod";
import { isSetupError } from "../errors.ts";
import { toJsonSchema } from "./to-json-schema.ts";
import { describeProblems, validate } from "./validate.ts";

async function problems(schema: z.ZodObject, value: Record<string, unknown>): Promise<string[]> {
  const result = await validate(value, schema, toJsonSchema(schema, "test"));
  return result.ok ? [] : describeProblems(result.problems).split("\n");
}

describe("validate", () => {
  const schema = z.object({
    path: z.string(),
    limit: z.number().int().default(10),
    where: z.array(z.object({ line: z.number() })).optional(),
  });

  it("gives the schema's output", async () => {
    const result = await validate({ path: "a", limit: "3" }, schema, toJsonSchema(schema, "test"));
    expect(result).toEqual({ ok: true, value: { path: "a", limit: 3 } });
  });

  it("reports every problem with its path, unknown keys with the nearest one", async () => {
    expect(await problems(schema, { pth: 1, limit: 1.5, where: [{ line: "x", colour: 1 }] })).toEqual([
      "path: Invalid input: expected string, received undefined",
      "limit: Invalid input: expected int, received number",
      "where[0].line: Invalid input: expected number, received string",
      'pth: unknown key; did you mean "path"?',
      "where[0].colour: unknown key; known are line",
    ]);
  });

  it("reports a strict object's unknown key once", async () => {
    expect(await problems(z.strictObject({ a: z.string() }), { a: "x", b: 1 })).toHaveLength(1);
  });

  it("leaves loose objects, records and intersections open", async () => {
    expect(await problems(z.looseObject({ a: z.string() }), { a: "x", b: 1 })).toEqual([]);
    expect(await problems(z.object({ r: z.record(z.string(), z.number()) }), { r: { anything: 1 } })).toEqual(
      [],
    );
    const both = z.object({ i: z.intersection(z.object({ a: z.string() }), z.object({ b: z.string() })) });
    expect(await problems(both, { i: { a: "x", b: "y" } })).toEqual([]);
  });

  it("takes __proto__ and constructor for ordinary unknown keys", async () => {
    const value = JSON.parse('{"path":"a","__proto__":{"limit":1},"constructor":1}') as Record<
      string,
      unknown
    >;
    expect(await problems(schema, value)).toHaveLength(2);
  });

  it("names the tool whose schema cannot be converted", () => {
    try {
      toJsonSchema(z.object({ when: z.date() }), "tool bad");
      expect.unreachable();
    } catch (error) {
      expect(isSetupError(error)).toBe(true);
      expect((error as Error).message).toMatch(/^tool bad: /);
    }
  });

  it("counts what it does not list", () => {
    const many = Array.from({ length: 12 }, (_, index) => ({ path: ["x", index], message: "wrong" }));
    expect(describeProblems(many).split("\n")).toHaveLength(11);
    expect(describeProblems(many)).toContain("… and 2 more");
  });
});
