import { definePlugin, type PluginFactory } from "@toycoder/core";
import { createConnections } from "./connections.ts";
import { createDescribeDatabase } from "./describe-database.ts";
import { type DatabaseOptions, databaseOptions } from "./options.ts";
import { createQueryDatabase } from "./query-database.ts";

/** Brings `query_database` and `describe_database` for the connections that its options name. */
export const databasePlugin: PluginFactory<DatabaseOptions> = definePlugin({
  name: "database",
  version: "0.0.0",
  api: 1,
  options: databaseOptions,
  setup: ({ connections: options, ...limits }) => {
    const connections = createConnections(options);
    return {
      tools: [createQueryDatabase(connections, limits), createDescribeDatabase(connections, limits)],
      status: connections.status,
      dispose: () => connections.dispose(),
    };
  },
});
