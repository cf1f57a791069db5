import { describe, expect, it } from "vitest";
import { z } from "zod";
import { jsonSchema } from "./raw-schema.ts";
import { describeSchema } from "./to-json-schema.ts";
import { problemsOf } from "./validate.ts";

const problems = (schema: Parameters<typeof describeSchema>[0], value: unknown) =>
  problemsOf(value, schema, describeSchema(schema, "x"));

describe("problemsOf", () => {
  it("takes a value as it is: nothing is converted", async () => {
    const raw = jsonSchema({ type: "object", properties: { n: { type: "integer" } } });
    expect(await problems(raw, { n: 1 })).toEqual([]);
    expect(await problems(raw, { n: "1" })).toMatchObject([{ path: ["n"] }]);
    expect(await problems(raw, '{"n":1}')).toMatchObject([{ path: [] }]);
  });

  it("judges values that are no objects", async () => {
    expect(await problems(jsonSchema({ type: "array", items: { type: "string" } }), ["a", 1])).toMatchObject([
      { path: [1] },
    ]);
    expect(await problems(z.array(z.object({ a: z.string() })), [{ a: "x", b: 1 }])).toMatchObject([
      { path: [0, "b"] },
    ]);
    expect(await problems(z.enum(["a", "b"]), "c")).toHaveLength(1);
    expect(await problems(z.null(), null)).toEqual([]);
  });

  it("refuses what is nested too deep", async () => {
    let value: unknown = null;
    for (let depth = 0; depth < 5000; depth++) value = [value];
    expect(await problems(jsonSchema({}), value)).toHaveLength(1);
  });
});
