import { isToolError, messageOf, ToolError } from "@toycoder/core";

const PROXY_ANSWER = /^Proxy response \((\d+)\)/;

/** Codes of Node and undici, and what they come to. The first that fits counts. */
const KINDS: readonly (readonly [codes: RegExp, kind: string, what: string, hint?: string])[] = [
  [
    /^(?:ENOTFOUND|EAI_\w+|ENODATA|ESERVFAIL|EREFUSED)$/,
    "host_not_found",
    "has no address",
    "check the spelling of the host",
  ],
  [
    /^(?:CERT_|ERR_TLS_|ERR_SSL_|EPROTO$|UNABLE_TO_|(?:DEPTH_ZERO_)?SELF_SIGNED_)/,
    "tls_error",
    "cannot be trusted or spoken to over TLS",
    "an authority of the person's own goes into NODE_EXTRA_CA_CERTS; certificates are never left unchecked",
  ],
  [
    /^(?:HPE_|UND_ERR_(?:HEADERS_OVERFLOW|RES_|INFO|INVALID)|Z_|ERR__ERROR_|ZSTD_|ERR_BROTLI|ERR_ZLIB)/,
    "bad_response",
    "answered with what is no valid HTTP response",
  ],
];

/**
 * The ToolError for whatever made a request fail: one that was thrown on the way stays as it is; the rest is
 * `host_not_found`, `tls_error`, `bad_response`, `proxy_failed` or `connection_failed`.
 */
export function networkError(thrown: unknown, host: string): ToolError {
  const chain = [...causes(thrown)];
  const own = chain.find(isToolError);
  if (own !== undefined) return own;
  const status = chain.flatMap((cause) => PROXY_ANSWER.exec(messageOf(cause))?.[1] ?? [])[0];
  if (status !== undefined) {
    return new ToolError("proxy_failed", `the proxy refused the way to ${host}: ${status}`, {
      hint: "the person has to let the proxy allow the host, or name it in NO_PROXY",
    });
  }
  const code = chain.map(codeOf).find((one) => one !== "") ?? "";
  const said = code === "" ? messageOf(thrown) : code;
  const [, kind, what, hint] = KINDS.find(([codes]) => codes.test(code)) ?? [];
  if (kind === undefined) {
    const direct = /^UND_ERR_SOCKET$/.test(code)
      ? `${host} closed the connection`
      : `no connection to ${host}`;
    return new ToolError("connection_failed", `${direct} (${said})`);
  }
  return new ToolError(kind, `${host} ${what} (${said})`, hint === undefined ? {} : { hint });
}

/** An error, its causes, and those of an attempt at several addresses. */
function* causes(thrown: unknown, depth = 0): Generator {
  if (typeof thrown !== "object" || thrown === null || depth > 5) return;
  yield thrown;
  if ("errors" in thrown && Array.isArray(thrown.errors))
    for (const error of thrown.errors) yield* causes(error, depth + 1);
  if ("cause" in thrown) yield* causes(thrown.cause, depth + 1);
}

function codeOf(error: unknown): string {
  if (!(error instanceof Error)) return "";
  if ("code" in error && typeof error.code === "string") return error.code;
  return error.name === "HTTPParserError" ? "HPE_INVALID" : "";
}
