import * as z from "zod";
import type { ConnectionOptions } from "./connection-options.ts";
import { addressProblems } from "./postgres/address.ts";

/** What the config says of the plugin. */
export interface DatabaseOptions {
  /** Connections by the name that a model calls them. */
  connections: Record<string, ConnectionOptions>;
  /** Rows of one result at most. Default 200. */
  maxRows?: number | undefined;
  /** Bytes of one result's rows as JSON at most. Default 24,000: what a model gets to see of one result. */
  maxBytes?: number | undefined;
  /** Seconds that a statement may take. Default 30. */
  timeoutSeconds?: number | undefined;
}

/** How much a statement may take and give. */
export interface Limits {
  maxRows: number;
  maxBytes: number;
  timeoutSeconds: number;
}

const sqlite = z.strictObject({ type: z.literal("sqlite"), path: z.string().min(1) });

const postgres = z
  .strictObject({
    type: z.literal("postgres"),
    url: z.string().optional(),
    host: z.string().min(1).optional(),
    port: z.number().int().min(1).max(65_535).optional(),
    database: z.string().min(1).optional(),
    user: z.string().min(1).optional(),
    credential: z.string().min(1).optional(),
    tls: z
      .union([
        z.boolean(),
        z.strictObject({ ca: z.string().min(1).optional(), verify: z.boolean().optional() }),
      ])
      .optional(),
    allowSuperuser: z.boolean().optional(),
  })
  .superRefine((options, context) => {
    for (const { key, problem } of addressProblems(options)) {
      context.addIssue({ code: "custom", path: [key], message: problem });
    }
  });

const name = z.string().regex(/^[A-Za-z][\w-]{0,63}$/, "a connection's name is letters, digits, _ and -");

export const databaseOptions: z.ZodType<
  Limits & { connections: Record<string, ConnectionOptions> },
  DatabaseOptions
> = z.strictObject({
  connections: z
    .record(name, z.discriminatedUnion("type", [sqlite, postgres]))
    .refine((connections) => Object.keys(connections).length > 0, "name at least one connection"),
  maxRows: z.number().int().min(1).max(100_000).default(200),
  maxBytes: z.number().int().min(1_000).max(16_000_000).default(24_000),
  timeoutSeconds: z.number().min(0.1).max(600).default(30),
});
