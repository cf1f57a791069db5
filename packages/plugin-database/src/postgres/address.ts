import type { PostgresOptions } from "../connection-options.ts";

/** Where a server is and as whom to speak to it. */
export interface Address {
  /** A host's name, or the folder of a Unix socket. */
  host: string;
  port: number;
  user?: string | undefined;
  database?: string | undefined;
}

/** What a `postgres://` URL says. */
interface UrlParts extends Partial<Address> {
  password?: string | undefined;
  /** `sslmode=disable` */
  plain: boolean;
}

const SCHEME = /^postgres(?:ql)?:\/\//i;
const DEFAULT_PORT = 5432;

/** The parts of a `postgres://` URL; undefined where it is none. Of its parameters only `sslmode` is read. */
export function readUrl(text: string): UrlParts | undefined {
  if (!SCHEME.test(text) || !URL.canParse(text)) return undefined;
  const url = new URL(text);
  try {
    return {
      host: part(url.hostname.replace(/^\[(.*)\]$/, "$1")),
      port: url.port === "" ? undefined : Number(url.port),
      user: part(url.username),
      password: part(url.password),
      database: part(url.pathname.slice(1)),
      plain: url.searchParams.get("sslmode") === "disable",
    };
  } catch {
    return undefined;
  }
}

const part = (text: string): string | undefined => (text === "" ? undefined : decodeURIComponent(text));

/** What is wrong with a connection's address. No message holds a value: it could be a secret. */
export function addressProblems({ url, host, user, credential }: PostgresOptions): {
  key: "url" | "host" | "user";
  problem: string;
}[] {
  const parts = url === undefined ? undefined : readUrl(url);
  if (url !== undefined && parts === undefined) {
    return [{ key: "url", problem: "it is not postgres://user@host:port/database" }];
  }
  if (parts?.password !== undefined) {
    return [
      {
        key: "url",
        problem:
          'a password does not belong into the config: take it out, and name the credential that holds it (or the whole URL) as "credential"',
      },
    ];
  }
  if (host === undefined && parts?.host === undefined) {
    return [{ key: "host", problem: "it is missing: rules for the network are about the host" }];
  }
  if (user === undefined && parts?.user === undefined && credential === undefined) {
    return [{ key: "user", problem: "it is missing" }];
  }
  return [];
}

/** The address that the config gives. */
export function addressOf(options: PostgresOptions): Address {
  const parts = options.url === undefined ? undefined : readUrl(options.url);
  return {
    host: options.host ?? parts?.host ?? "localhost",
    port: options.port ?? parts?.port ?? DEFAULT_PORT,
    user: options.user ?? parts?.user,
    database: options.database ?? parts?.database,
  };
}

const LOCAL = /^(?:localhost|127(?:\.\d{1,3}){3}|::1|\/.*)$/i;

/** Whether the server is on this machine. */
export const isLocal = (host: string): boolean => LOCAL.test(host);

/** The host as rules name it; a Unix socket is this machine. */
export const ruleHost = (host: string): string => (host.startsWith("/") ? "localhost" : host);
