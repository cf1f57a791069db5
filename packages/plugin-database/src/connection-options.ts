/** A database file of the workspace. */
export interface SqliteOptions {
  type: "sqlite";
  /** The database file, relative to the workspace. */
  path: string;
}

/** A database of a server, and the role that reads it. */
export interface PostgresOptions {
  type: "postgres";
  /** `postgres://user@host:port/database`, without a password. The other fields go before it. */
  url?: string | undefined;
  /** A host's name, or the folder of a Unix socket. */
  host?: string | undefined;
  /** Default 5432. */
  port?: number | undefined;
  /** Default: the user's name. */
  database?: string | undefined;
  user?: string | undefined;
  /** Name of the credential that holds the password, or a whole `postgres://` URL for the same host. */
  credential?: string | undefined;
  /** Default: true for other machines. `ca`: a file, relative to the workspace, with the certificate to trust; `verify: false` trusts any. */
  tls?: boolean | { ca?: string | undefined; verify?: boolean | undefined } | undefined;
  /** Lets a role in that can do more than read, such as a superuser. */
  allowSuperuser?: boolean | undefined;
}

/** One connection of the config. */
export type ConnectionOptions = SqliteOptions | PostgresOptions;
