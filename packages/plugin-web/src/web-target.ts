import { ToolError } from "@toycoder/core";

/** A URL that may be fetched, as far as its text tells. */
export interface WebTarget {
  /** Without a fragment's use for the server, in its normal form: `http://0x7f.1` is `http://127.0.0.1/`. */
  url: URL;
  /** As rules see it: small letters, punycode, no dot at its end, an IPv6 address in brackets. */
  host: string;
  port: number;
}

/**
 * Reads a URL. Throws a ToolError: `invalid_url`, `unsupported_scheme` for anything but http and https,
 * `credentials_in_url` for one with a user or password.
 */
export function webTarget(text: string, base?: URL): WebTarget {
  const url = URL.canParse(text, base?.href) ? new URL(text, base) : undefined;
  if (url === undefined) {
    throw new ToolError("invalid_url", `${JSON.stringify(text.slice(0, 200))} is no URL`, {
      hint: "give a whole one, with its scheme: https://example.com/page",
    });
  }
  if (url.protocol !== "http:" && url.protocol !== "https:") {
    throw new ToolError("unsupported_scheme", `fetch_url takes http and https, not ${url.protocol}`, {
      hint: "files of the workspace are read with read_file",
    });
  }
  if (url.username !== "" || url.password !== "") {
    throw new ToolError("credentials_in_url", "a URL with a user or password is not fetched", {
      hint: "leave out what is before the @; fetch_url sends no credentials",
    });
  }
  // "example.com." is the host of "example.com", and a rule for the one holds for the other.
  const host = url.hostname.replace(/\.$/, "");
  if (host.split(".").includes("")) {
    throw new ToolError("invalid_url", `${JSON.stringify(url.hostname)} is no name of a host`);
  }
  url.hostname = host;
  return { url, host, port: Number(url.port) || (url.protocol === "https:" ? 443 : 80) };
}
