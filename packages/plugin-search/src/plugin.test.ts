import { expect, test } from "vitest";
import byDefault, { searchPlugin } from "./index.ts";

const ctx = { root: "/w", secretVariables: [] };

test("the plugin brings two safe tools, short to describe", async () => {
  expect(byDefault).toBe(searchPlugin);
  const { tools } = await searchPlugin().setup(ctx);
  expect(tools.map(({ name, permission, category }) => [name, permission, category])).toEqual([
    ["glob_search", "safe", "search"],
    ["grep_search", "safe", "search"],
  ]);
  const sent = tools.map(({ name, description, jsonSchema }) => ({
    name,
    description,
    parameters: jsonSchema,
  }));
  expect(JSON.stringify(sent).length).toBeLessThan(1495);
  for (const { jsonSchema } of tools) {
    for (const property of Object.values(jsonSchema.properties as object))
      expect(property).toHaveProperty("description");
  }
});

test("options are checked", async () => {
  await expect(searchPlugin({ timeoutSeconds: 5 }).setup(ctx)).resolves.toBeDefined();
  const wrong = { timeout: 5 } as object;
  await expect(searchPlugin(wrong).setup(ctx)).rejects.toThrow(/plugin search: .*timeout/);
});
