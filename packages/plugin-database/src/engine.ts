import type { EffectContext, Effect } from "@toycoder/core";
import type { Description } from "./description.ts";
import type { QueryResult } from "./query-result.ts";

export type Parameter = string | number | boolean | null;

/** One reading statement, with what it may give. */
export interface Query {
  sql: string;
  params: readonly Parameter[];
  maxRows: number;
  maxBytes: number;
}

/** What a database gives of a statement: a result that doesn't know its connection's name yet. */
export type Answer = Omit<QueryResult, "connection">;

/** What is asked of a database's tables. */
export interface DescribeRequest {
  /** All tables, or the one of this name. */
  table?: string | undefined;
  maxBytes: number;
}

/** What one call has at hand. */
export interface CallScope {
  signal: AbortSignal;
  /** Seconds that a statement may take. */
  timeoutSeconds: number;
  credentials: Readonly<Record<string, string>>;
  resolve: EffectContext["resolve"];
}

/** A database that can be read. Everything that goes wrong is a ToolError with a hint. */
export interface Engine {
  readonly type: "sqlite" | "postgres";
  /** Name of the credential that it needs. */
  readonly credential?: string | undefined;
  /** What it is, for people: never with a secret. */
  readonly label: string;
  effects(): readonly Effect[];
  query(query: Query, scope: CallScope): Promise<Answer>;
  describe(request: DescribeRequest, scope: CallScope): Promise<Omit<Description, "connection">>;
}
