import { ToolError } from "@toycoder/core";
import type { PostgresOptions } from "../connection-options.ts";
import type { Address } from "./address.ts";

const UNREACHABLE: ReadonlySet<string> = new Set(
  "ECONNREFUSED ECONNRESET EHOSTUNREACH ENETUNREACH ENOTFOUND EAI_AGAIN ETIMEDOUT ENOENT EACCES EPIPE".split(
    " ",
  ),
);
const CERTIFICATE = /CERT|ISSUER|SIGNATURE/;

/** Why a server could not be reached, or did not let us in. */
export function connectFailure(error: unknown, { host, port }: Address, options: PostgresOptions): ToolError {
  const { code = "", message = "" } = error as { code?: string; message?: string };
  const place = host.startsWith("/") ? host : `${host}:${port}`;
  const failed = (kind: string, what: string, hint: string): ToolError =>
    new ToolError(kind, `${place}: ${what}`, { hint });

  if (UNREACHABLE.has(code)) {
    return failed(
      "connection_failed",
      `no connection (${code})`,
      "is the server running, and are host and port right?",
    );
  }
  if (message.includes("does not support SSL")) {
    return failed("tls_failed", "the server does not speak TLS", "in a network that you trust: tls: false");
  }
  if (CERTIFICATE.test(code)) {
    return failed(
      "tls_failed",
      `the server's certificate is not trusted (${code})`,
      'name the file of its certificate authority: tls: { ca: "path" }',
    );
  }
  if (code === "28P01" || code === "28000") {
    return failed("auth_failed", message, authHint(message, options));
  }
  if (code === "3D000") return failed("unknown_database", message, "correct `database` in the config");
  if (code === "53300" || code === "57P03") return failed("connection_failed", message, "try again later");
  if (/SASL|password/.test(message)) {
    return failed("auth_failed", "the server asks for a password", authHint(message, options));
  }
  return failed("connection_failed", message || code || "no connection", "is this a PostgreSQL server?");
}

function authHint(message: string, { credential }: PostgresOptions): string {
  if (/no encryption|SSL off/.test(message)) return "the server wants TLS: tls: true";
  return credential === undefined
    ? 'name the credential that holds the password: credential: "NAME"'
    : `check the value of the credential ${credential}, and the user in the config`;
}
