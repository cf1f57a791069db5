import { isPluginFactory } from "@toycoder/core";
import { expect, test } from "vitest";
import byDefault, { filesPlugin } from "./index.ts";

const ctx = { root: "/w", secretVariables: [] };

test("the plugin brings four tools with levels, categories and effects", async () => {
  expect(byDefault).toBe(filesPlugin);
  expect(isPluginFactory(filesPlugin)).toBe(true);
  const { tools } = await filesPlugin().setup(ctx);
  expect(tools.map(({ name, permission }) => [name, permission])).toEqual([
    ["read_file", "safe"],
    ["write_file", "sensitive"],
    ["edit_file", "sensitive"],
    ["list_dir", "safe"],
  ]);
  for (const tool of tools) {
    expect(tool.category).toBe("file_io");
    expect(tool.effects).toBeTypeOf("function");
  }
});

test("options are checked", async () => {
  await expect(filesPlugin({ requireRead: true }).setup(ctx)).resolves.toBeDefined();
  const wrong = { requiredRead: true } as object;
  await expect(filesPlugin(wrong).setup(ctx)).rejects.toThrow(/plugin files: .*requiredRead/);
});

test("the tools are short to describe", async () => {
  const { tools } = await filesPlugin().setup(ctx);
  const sent = tools.map(({ name, description, jsonSchema }) => ({
    name,
    description,
    parameters: jsonSchema,
  }));
  expect(JSON.stringify(sent).length).toBeLessThan(1895);
  for (const { jsonSchema } of tools) {
    for (const property of Object.values(jsonSchema.properties as object))
      expect(property).toHaveProperty("description");
  }
});
