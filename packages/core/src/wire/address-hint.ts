import { shownUrl } from "./error-text.ts";
import type { ProviderFault } from "./provider-fault.ts";

/** What Go's, nginx's and Apache's servers say to a plain request at a TLS port. */
const WANTS_TLS = /HTTP request (?:was sent )?to (?:an )?HTTPS (?:server|port)|plain HTTP to an SSL-enabled/i;
/** What OpenSSL makes of an answer that is not TLS. */
const NO_TLS: ReadonlySet<string> = new Set([
  "ERR_SSL_WRONG_VERSION_NUMBER",
  "ERR_SSL_PACKET_LENGTH_TOO_LONG",
  "ERR_SSL_RECORD_LAYER_FAILURE",
  "EPROTO",
]);
const UNKNOWN_SIGNER: ReadonlySet<string> = new Set([
  "DEPTH_ZERO_SELF_SIGNED_CERT",
  "SELF_SIGNED_CERT_IN_CHAIN",
  "UNABLE_TO_VERIFY_LEAF_SIGNATURE",
  "UNABLE_TO_GET_ISSUER_CERT",
  "UNABLE_TO_GET_ISSUER_CERT_LOCALLY",
]);
const WRONG_CERTIFICATE: ReadonlySet<string> = new Set(["CERT_HAS_EXPIRED", "ERR_TLS_CERT_ALTNAME_INVALID"]);
/** How a plain request to a TLS port ends. */
const CLOSED: ReadonlySet<string> = new Set(["ECONNRESET", "UND_ERR_SOCKET", "HPE_INVALID_CONSTANT"]);
const NO_NAME: ReadonlySet<string> = new Set(["ENOTFOUND", "EAI_AGAIN"]);

/** What to try where requests did not reach an API: for wrong schemes, hosts, ports and certificates. */
export function addressHint(
  baseURL: string,
  { codes, message }: Pick<ProviderFault, "codes" | "message">,
): string | undefined {
  const address = shownUrl(baseURL);
  const has = (known: ReadonlySet<string>): boolean => codes.some((code) => known.has(code));
  if (WANTS_TLS.test(message))
    return `the server there speaks https: try ${address.replace(/^http:/, "https:")}`;
  if (has(NO_TLS)) return `the server there speaks no https: try ${address.replace(/^https:/, "http:")}`;
  if (has(UNKNOWN_SIGNER)) {
    return "Node trusts nobody who signed the server's certificate: set NODE_EXTRA_CA_CERTS to the file of its CA";
  }
  if (has(WRONG_CERTIFICATE)) return "the server's certificate has run out or is another host's";
  if (has(NO_NAME)) {
    return "no such host is known here: check the spelling of the base URL, and whether a proxy is needed (HTTPS_PROXY)";
  }
  if (address.startsWith("http:") && has(CLOSED)) {
    return `the server closed the connection; if it speaks https, try ${address.replace(/^http:/, "https:")}`;
  }
  if (codes.includes("ECONNREFUSED"))
    return "check that the server is running and that the base URL is right";
  return undefined;
}

/** What to try where a server answered, but not as an API does: a 404, a web page. */
export function pathHint(baseURL: string): string {
  const address = shownUrl(baseURL).replace(/\/$/, "");
  const attempt = /\/v\d/.test(address) ? "" : ` (so ${address}/v1)`;
  return `check the model's name and the base URL (${address}): most servers want it to end in /v1${attempt}, Anthropic's without it`;
}

/** Whether a failure lies in the address or the certificate, so that another attempt would end alike. */
export const isAddressFault = ({ codes }: Pick<ProviderFault, "codes">): boolean =>
  codes.some((code) => NO_TLS.has(code) || UNKNOWN_SIGNER.has(code) || WRONG_CERTIFICATE.has(code));
