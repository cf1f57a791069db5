import { createRequire } from "node:module";
import type { DatabaseSync, DatabaseSyncOptions } from "node:sqlite";

/** What an authorizer hears: an action's code, and what it is about. */
export type Authorizer = (action: number, first: string | null, second: string | null) => number;

/** `DatabaseSync` as of Node 24.10. */
export interface Database extends DatabaseSync {
  setAuthorizer(authorizer: Authorizer | null): void;
  enableDefensive(on: boolean): void;
}

/** The options that are newer than 22.18; a Node that does not know one passes over it. */
interface NewerOptions extends DatabaseSyncOptions {
  readBigInts: boolean;
  returnArrays: boolean;
  limits: { length: number; sqlLength: number; attach: number };
}

interface NodeSqlite {
  DatabaseSync: {
    new (location: string | URL, options: NewerOptions): Database;
    prototype: object;
  };
  constants: Readonly<Record<string, number>>;
}

/** Node's own SQLite, loaded when it is first asked for. */
export const nodeSqlite = (): NodeSqlite => createRequire(import.meta.url)("node:sqlite");
