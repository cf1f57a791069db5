import { describe, expect, it } from "vitest";
import { z } from "zod";
import { eventSchema } from "./test-support/event-schema.ts";
import { resultSchema } from "./test-support/result-schema.ts";

/** As it is published: open, so that a later version may add keys. */
function published(schema: z.ZodType, title: string): string {
  const json = z.toJSONSchema(schema, {
    io: "input",
    override: ({ jsonSchema }) => {
      delete jsonSchema.id;
      if (jsonSchema.maximum === Number.MAX_SAFE_INTEGER) delete jsonSchema.maximum;
    },
  });
  const { $schema, ...rest } = json;
  return `${JSON.stringify({ $schema, title, ...rest }, null, 2)}\n`;
}

// `npx vitest run src/schemas.test.ts -u` writes them anew.
describe("the published schemas", () => {
  it.each([
    ["result", resultSchema, "The result of toycoder run"],
    ["event", eventSchema, "A line of stream-json, or of a session"],
  ])("schemas/%s.schema.json is what the code says", async (name, schema, title) => {
    await expect(published(schema, title)).toMatchFileSnapshot(`../schemas/${name}.schema.json`);
  });
});
