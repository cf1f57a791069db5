import { readFileSync } from "node:fs";
import { ToolError } from "@toycoder/core";
import type { ClientConfig, CustomTypesConfig } from "pg";
import type { PostgresOptions } from "../connection-options.ts";
import { type Address, addressOf, isLocal, readUrl } from "./address.ts";

const CONNECT_MS = 10_000;

/** Values stay the texts that the server sends: `pg` would make local dates and inexact numbers of them. */
const AS_TEXT: CustomTypesConfig = { getTypeParser: () => (text: unknown) => text };

/**
 * How `pg` connects. Everything that it would otherwise take from the environment is said. `secret` is a password, or a
 * whole URL, of which the config's own words go first. Throws a ToolError `connection_misconfigured`.
 */
export function clientSettings(
  options: PostgresOptions,
  secret: string | undefined,
  realPath: (file: string) => string,
): { config: ClientConfig; address: Address } {
  const whole = secret === undefined ? undefined : readUrl(secret);
  const address = addressOf(options);
  if (whole?.host !== undefined && whole.host.toLowerCase() !== address.host.toLowerCase()) {
    throw new ToolError(
      "connection_misconfigured",
      `the URL in the credential ${options.credential} is for another host than the config names`,
      { hint: "name the same host in both: rules for the network are about the config's" },
    );
  }
  const user = address.user ?? whole?.user;
  if (user === undefined) {
    throw new ToolError("connection_misconfigured", "neither the config nor the credential names a user");
  }
  const port = hasPort(options) ? address.port : (whole?.port ?? address.port);
  const password = whole === undefined ? secret : whole.password;
  return {
    address: { ...address, port },
    config: {
      host: address.host,
      port,
      user,
      database: address.database ?? whole?.database ?? user,
      // A function: with nothing here, `pg` looks into PGPASSWORD and ~/.pgpass.
      password: () => password ?? "",
      ssl: tlsSettings(options, address.host, whole?.plain ?? false, realPath),
      sslnegotiation: "postgres",
      options: "",
      application_name: "toycoder",
      client_encoding: "UTF8",
      connectionTimeoutMillis: CONNECT_MS,
      keepAlive: true,
      types: AS_TEXT,
    },
  };
}

const hasPort = ({ port, url }: PostgresOptions): boolean =>
  port !== undefined || (url !== undefined && readUrl(url)?.port !== undefined);

function tlsSettings(
  { tls, url }: PostgresOptions,
  host: string,
  plain: boolean,
  realPath: (file: string) => string,
): ClientConfig["ssl"] {
  const unsaid = !(isLocal(host) || plain || (url !== undefined && readUrl(url)?.plain === true));
  const wanted = tls ?? unsaid;
  if (typeof wanted === "boolean") return wanted;
  const { ca, verify = true } = wanted;
  try {
    return {
      rejectUnauthorized: verify,
      ...(ca !== undefined && { ca: readFileSync(realPath(ca), "utf8") }),
    };
  } catch {
    throw new ToolError("connection_misconfigured", `tls.ca: the file ${ca} cannot be read`);
  }
}
