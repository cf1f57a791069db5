import type { Client } from "pg";
import type { CallScope, Engine } from "../engine.ts";
import type { PostgresOptions } from "../connection-options.ts";
import { addressOf, ruleHost } from "./address.ts";
import { withClient } from "./connect.ts";
import { describeTables } from "./describe-tables.ts";
import { inReadOnlyTransaction } from "./read-only.ts";
import { runQuery } from "./run-query.ts";
import { statementFailure } from "./statement-failure.ts";

/** A PostgreSQL server. */
export function postgresEngine(options: PostgresOptions): Engine {
  const { host, port, database } = addressOf(options);
  const { credential, allowSuperuser = false } = options;

  const read = async <T>(scope: CallScope, work: (client: Client) => Promise<T>): Promise<T> => {
    const { timeoutSeconds, credentials } = scope;
    const secret = credential === undefined ? undefined : credentials[credential];
    return await withClient(options, secret, scope, async (client) => {
      try {
        return await inReadOnlyTransaction(client, { timeoutSeconds, allowSuperuser }, () => work(client));
      } catch (error) {
        throw statementFailure(error, 0);
      }
    });
  };

  return {
    type: "postgres",
    credential,
    label: `PostgreSQL, ${host}:${port}${database === undefined ? "" : `/${database}`}`,
    effects: () => [{ kind: "net", host: ruleHost(host) }],
    query: (query, scope) => read(scope, (client) => runQuery(client, query)),
    describe: (request, scope) => read(scope, (client) => describeTables(client, request)),
  };
}
