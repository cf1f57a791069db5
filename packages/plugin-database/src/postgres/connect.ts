import type { Duplex } from "node:stream";
import { ToolError } from "@toycoder/core";
import type { Client } from "pg";
import type { PostgresOptions } from "../connection-options.ts";
import type { CallScope } from "../engine.ts";
import { cancelStatement } from "./cancel-statement.ts";
import { clientSettings } from "./client-settings.ts";
import { connectFailure } from "./connect-failure.ts";

/** What a server may send in one call. */
const MAX_RECEIVED = 32 * 1024 * 1024;

/** What `pg` has and does not publish. */
interface Inside {
  connection: { stream: Duplex };
  processID: number | null;
  secretKey: number | null;
}

/**
 * Opens a connection for one call, does `work`, and closes it: nothing of a statement, such as a lock or a setting,
 * outlives its call. When `signal` aborts, the server is told to stop. Throws a ToolError without a secret in it.
 */
export async function withClient<T>(
  options: PostgresOptions,
  secret: string | undefined,
  { signal, resolve }: Pick<CallScope, "signal" | "resolve">,
  work: (client: Client) => Promise<T>,
): Promise<T> {
  const { config, address } = clientSettings(options, secret, (file) => resolve(file).real);
  const { default: pg } = await import("pg");
  const client = new pg.Client(config);
  const inside = client as unknown as Inside;
  // Without a listener, a connection that breaks between two statements ends the process.
  client.on("error", () => {});
  let tooMuch = false;
  const stop = (): void => {
    cancelStatement(address, inside.processID, inside.secretKey);
    inside.connection.stream.destroy();
  };
  signal.addEventListener("abort", stop, { once: true });
  try {
    signal.throwIfAborted();
    await client.connect().catch((error: unknown) => {
      throw connectFailure(error, address, options);
    });
    let received = 0;
    inside.connection.stream.on("data", ({ length }: Buffer) => {
      received += length;
      if (received <= MAX_RECEIVED || tooMuch) return;
      tooMuch = true;
      stop();
    });
    return await work(client);
  } catch (error) {
    if (signal.aborted) throw new ToolError("cancelled", "the statement was stopped");
    if (!tooMuch) throw error;
    throw new ToolError("result_too_large", "the server sent over 32 MB", {
      hint: "select fewer columns, parts of long values (left(column, 500)), or set a lower limit",
    });
  } finally {
    signal.removeEventListener("abort", stop);
    // A server that is gone does not answer the goodbye.
    await client.end().catch(() => {});
  }
}
