import { createToolIndex, type JsonSchema } from "@toycoder/core";
import MiniSearch from "minisearch";
import type { Contender } from "./measure.ts";
import type { BenchTool } from "./read-data.ts";

const ours: Contender = {
  title: "@toycoder/core",
  createIndex(tools) {
    const index = createToolIndex(tools);
    return (query, limit) => index.search(query, { limit }).map((hit) => hit.tool.name);
  },
};

const asItComes: Contender = {
  title: "MiniSearch, name and description",
  createIndex: (tools) => createMiniSearch(tools, ["name", "description"]),
};

const sameFields: Contender = {
  title: "MiniSearch, the same fields",
  createIndex: (tools) =>
    createMiniSearch(tools, ["name", "description", "parameters", "parameterTexts", "values"]),
};

export const CONTENDERS: readonly Contender[] = [ours, asItComes, sameFields];

function createMiniSearch(
  tools: readonly BenchTool[],
  fields: string[],
): (query: string, limit: number) => string[] {
  const index = new MiniSearch({ fields, storeFields: ["name"] });
  index.addAll(
    tools.map(({ name, description, jsonSchema }, id) => ({ id, name, description, ...textsOf(jsonSchema) })),
  );
  return (query, limit) =>
    index
      .search(query)
      .slice(0, limit)
      .map((hit) => String(hit["name"]));
}

function textsOf(schema: JsonSchema): Record<"parameters" | "parameterTexts" | "values", string> {
  const parameters: string[] = [];
  const texts: string[] = [];
  const values: string[] = [];
  const visit = (part: JsonSchema): void => {
    for (const value of part.enum ?? []) if (typeof value === "string") values.push(value);
    for (const [name, property] of Object.entries(part.properties ?? {})) {
      parameters.push(name);
      if (typeof property === "boolean") continue;
      if (property.description !== undefined) texts.push(property.description);
      visit(property);
    }
    if (typeof part.items === "object") visit(part.items);
  };
  visit(schema);
  return {
    parameters: parameters.join("\n"),
    parameterTexts: texts.join("\n"),
    values: values.join("\n"),
  };
}
