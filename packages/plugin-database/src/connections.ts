import { type PermissionLevel, type ToolContext, ToolError } from "@toycoder/core";
import * as z from "zod";
import type { CallScope, Engine } from "./engine.ts";
import type { ConnectionOptions } from "./connection-options.ts";
import { postgresEngine } from "./postgres/postgres-engine.ts";
import { sqliteEngine } from "./sqlite/sqlite-engine.ts";

/** What both tools ask of the connections that the config names. */
export interface Connections {
  /** The schema of `connection`: may be left out where there is only one. */
  readonly parameter: z.ZodType<string | undefined>;
  /** The names, for a model. */
  readonly summary: string;
  /** `sensitive` with a server among them: what its functions do, it alone knows. */
  readonly permission: PermissionLevel;
  readonly credentials: readonly string[];
  /** What is in force, for people. */
  readonly status: Readonly<Record<string, string>>;
  find(name: string | undefined): { name: string; engine: Engine };
  scope(ctx: ToolContext, timeoutSeconds: number): CallScope;
  /** The time limit of a call: that of a statement, with connecting before and tidying after it. */
  timeoutMs(timeoutSeconds: number): number;
  /** Stops what still runs. */
  dispose(): void;
}

const AROUND_MS = 15_000;

export function createConnections(options: Readonly<Record<string, ConnectionOptions>>): Connections {
  const engines = new Map(Object.entries(options).map(([name, one]) => [name, engineOf(one)]));
  const names = [...engines.keys()];
  const [only] = names.length === 1 ? names : [];
  const end = new AbortController();
  const named = z.enum(names).describe(`One of: ${names.join(", ")}`);
  const credentials = [...engines.values()].flatMap(({ credential }) => credential ?? []);
  const listed = [...engines].map(([name, { type }]) => `${name} (${type})`).join(", ");
  return {
    parameter: only === undefined ? named : named.optional(),
    summary: `${only === undefined ? "Connections" : "The connection"}: ${listed}`,
    permission: [...engines.values()].some(({ type }) => type === "postgres") ? "sensitive" : "safe",
    credentials: [...new Set(credentials)],
    status: { database: [...engines].map(([name, { label }]) => `${name} (${label})`).join(", ") },
    find: (name = only ?? "") => {
      const engine = engines.get(name);
      if (engine === undefined) {
        throw new ToolError("unknown_connection", `there is no connection ${JSON.stringify(name)}`, {
          hint: `connections are ${names.join(", ")}`,
        });
      }
      return { name, engine };
    },
    scope: (ctx, timeoutSeconds) => ({
      signal: AbortSignal.any([ctx.signal, end.signal]),
      timeoutSeconds,
      credentials: ctx.credentials,
      resolve: (path) => ctx.resolve(path),
    }),
    timeoutMs: (timeoutSeconds) => timeoutSeconds * 1000 + AROUND_MS,
    dispose: () => end.abort(),
  };
}

const engineOf = (options: ConnectionOptions): Engine =>
  options.type === "sqlite" ? sqliteEngine(options) : postgresEngine(options);
