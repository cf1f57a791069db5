import { defineTool, type Tool } from "@toycoder/core";
import * as z from "zod";
import type { Connections } from "./connections.ts";
import { type Description, description } from "./description.ts";
import type { Limits } from "./options.ts";

export interface DescribeDatabaseInput {
  connection?: string | undefined;
  table?: string | undefined;
}

/** Tells what can be queried. Throws a ToolError, `unknown_table` for one. */
export function createDescribeDatabase(
  connections: Connections,
  { maxBytes, timeoutSeconds }: Limits,
): Tool<DescribeDatabaseInput, Description> {
  return defineTool({
    name: "describe_database",
    description: `Show the tables and views of a database: columns with types, keys, indexes, about how many rows; returns JSON. ${connections.summary}.`,
    input: z.object({
      connection: connections.parameter,
      table: z.string().min(1).optional().describe("Only this table or view"),
    }),
    output: description,
    permission: "safe",
    category: "data_query",
    version: "1.0.0",
    tags: ["sql", "schema", "sqlite", "postgresql", "数据库结构", "テーブル"],
    requiresAuth: connections.credentials,
    timeoutMs: connections.timeoutMs(timeoutSeconds),
    effects: ({ connection }) => connections.find(connection).engine.effects(),
    execute: async ({ connection, table }, ctx) => {
      const { name, engine } = connections.find(connection);
      const described = await engine.describe({ table, maxBytes }, connections.scope(ctx, timeoutSeconds));
      return { connection: name, ...described };
    },
  });
}
