export type { ConnectionOptions, PostgresOptions, SqliteOptions } from "./connection-options.ts";
export type {
  ColumnDescription,
  Description,
  ForeignKey,
  IndexDescription,
  TableDescription,
} from "./description.ts";
export type { DatabaseOptions } from "./options.ts";
export { databasePlugin } from "./plugin.ts";
export type { BytesValue, Column, QueryResult, Value } from "./query-result.ts";
