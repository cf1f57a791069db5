import type { LookupFunction } from "node:net";
import { ToolError } from "@toycoder/core";
import type { Dispatcher } from "undici";

/** Bytes of a response's headers. */
const MAX_HEADER_BYTES = 32 * 1024;
/** What no proxy is asked for: its own machine is not ours. */
const OWN_MACHINE = ["localhost", ".localhost", "127.0.0.1", "[::1]"];

export interface DispatcherOptions {
  lookup: LookupFunction;
  /** Through the proxy of HTTPS_PROXY or HTTP_PROXY, but for the hosts of NO_PROXY and this machine. */
  proxy: boolean;
  timeoutMs: number;
}

/**
 * What one request goes out by; to be destroyed after it. `undici` is loaded when it is first needed. A proxy looks
 * names up itself: `lookup` isn't asked for what goes through one. Throws a ToolError `proxy_failed` for a variable
 * that names no proxy.
 */
export async function openDispatcher({ lookup, proxy, timeoutMs }: DispatcherOptions): Promise<Dispatcher> {
  const { Agent, EnvHttpProxyAgent } = await import("undici");
  const options = { connect: { lookup, timeout: timeoutMs }, maxHeaderSize: MAX_HEADER_BYTES };
  if (!proxy) return new Agent(options);
  const { no_proxy, NO_PROXY } = process.env;
  const noProxy = [no_proxy ?? NO_PROXY ?? "", ...OWN_MACHINE].join(",");
  try {
    return new EnvHttpProxyAgent({ ...options, noProxy });
  } catch (cause) {
    throw new ToolError("proxy_failed", "HTTPS_PROXY or HTTP_PROXY holds no address of a proxy", {
      hint: "the person has to write it as in http://proxy.example.com:8080",
      cause,
    });
  }
}
