import { readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { compileSchema } from "./compile-schema.ts";
import { prepareSchema } from "./prepare-schema.ts";

interface Group {
  description: string;
  schema: unknown;
  tests: { description: string; data: unknown; valid: boolean }[];
}

const read = (name: string): unknown =>
  JSON.parse(
    readFileSync(new URL(`../../fixtures/json-schema-test-suite/${name}.json`, import.meta.url), "utf8"),
  );

const KNOWN = read("known-failures") as Record<string, string[]>;

/** The tests of a dialect's required groups that do not come out as the official suite says. */
async function failures(file: string, $schema: string): Promise<{ failed: string[]; total: number }> {
  const failed: string[] = [];
  let total = 0;
  for (const [keyword, groups] of Object.entries(read(file) as Record<string, Group[]>)) {
    for (const { description, schema, tests } of groups) {
      const given = typeof schema === "object" ? { $schema, ...schema } : schema;
      const check = await Promise.resolve(given)
        .then((it) => compileSchema(prepareSchema(it).checked))
        .catch(() => undefined);
      for (const test of tests) {
        total += 1;
        const valid = check?.(test.data).length === 0;
        if (check === undefined || valid !== test.valid)
          failed.push(`${keyword}: ${description}: ${test.description}`);
      }
    }
  }
  return { failed, total };
}

describe("the official JSON Schema Test Suite, required groups without remote references", () => {
  it.each([
    ["draft4", "http://json-schema.org/draft-04/schema#", 559, 561],
    ["draft6", "http://json-schema.org/draft-06/schema#", 754, 756],
    ["draft7", "http://json-schema.org/draft-07/schema#", 838, 840],
    ["draft2019-09", "https://json-schema.org/draft/2019-09/schema", 1122, 1147],
    ["draft2020-12", "https://json-schema.org/draft/2020-12/schema", 1116, 1147],
  ])("%s (%s): %i of %i", async (file, $schema, passing, tests) => {
    const { failed, total } = await failures(file, $schema);
    expect(failed).toEqual(KNOWN[file]);
    expect([total - failed.length, total]).toEqual([passing, tests]);
  });
});
