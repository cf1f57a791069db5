import { defineTool, type Tool } from "@toycoder/core";
import * as z from "zod";
import type { Connections } from "./connections.ts";
import type { Parameter } from "./engine.ts";
import type { Limits } from "./options.ts";
import { type QueryResult, queryResult, showResult } from "./query-result.ts";

export interface QueryDatabaseInput {
  sql: string;
  params: Parameter[];
  connection?: string | undefined;
  limit?: number | undefined;
}

/** Reads rows. Throws a ToolError for what the database refuses or does not understand. */
export function createQueryDatabase(
  connections: Connections,
  limits: Limits,
): Tool<QueryDatabaseInput, QueryResult> {
  const { maxRows, maxBytes, timeoutSeconds } = limits;
  return defineTool({
    name: "query_database",
    description: `Read rows of a database with one SQL query; returns columns with types and rows as JSON. It cannot write. ${connections.summary}.`,
    input: z.object({
      sql: z
        .string()
        .min(1)
        .refine((sql) => !sql.includes("\0"), "a statement has no NUL character")
        .describe("One SELECT, VALUES or WITH … SELECT; values go into params"),
      params: z
        .array(z.union([z.string(), z.number(), z.boolean(), z.null()]))
        .default([])
        .describe("Values for $1, $2 … in order"),
      connection: connections.parameter,
      limit: z.number().int().min(1).optional().describe(`Rows wanted, at most ${maxRows}`),
    }),
    output: queryResult,
    permission: connections.permission,
    category: "data_query",
    version: "1.0.0",
    tags: ["sql", "sqlite", "postgresql", "查询数据库", "データベース"],
    requiresAuth: connections.credentials,
    timeoutMs: connections.timeoutMs(timeoutSeconds),
    effects: ({ connection }) => connections.find(connection).engine.effects(),
    execute: async ({ sql, params, connection, limit = maxRows }, ctx) => {
      const { name, engine } = connections.find(connection);
      const query = { sql, params, maxRows: Math.min(limit, maxRows), maxBytes };
      return { connection: name, ...(await engine.query(query, connections.scope(ctx, timeoutSeconds))) };
    },
    toModel: showResult,
  });
}
