import { ModelError } from "../errors.ts";
import { isRecord } from "../schema/json-schema.ts";
import { shownUrl } from "./error-text.ts";

type Fetch = typeof globalThis.fetch;
type Options = Readonly<Record<"httpProxy" | "httpsProxy" | "noProxy", string | undefined>>;

/** What is needed of the package `undici`, which brings its own fetch: Node's takes no agent of another version. */
export interface ProxyModule {
  fetch: unknown;
  EnvHttpProxyAgent: new (options: { httpProxy?: string; httpsProxy?: string; noProxy?: string }) => object;
}

/** Connections are kept open between calls, so there is one fetch for each setting of the variables. */
const fetches = new Map<string, Promise<Fetch>>();

/**
 * Fetch through the proxy of HTTPS_PROXY or HTTP_PROXY (in lower case, too), except for the hosts of NO_PROXY and
 * for this machine; without these variables the global fetch, and `load` is not called. Rejects with a ModelError
 * for a variable that holds no address; so does the fetch where the proxy cannot be reached or refuses.
 */
export async function environmentFetch(load: () => Promise<ProxyModule>): Promise<Fetch> {
  const options = { httpProxy: proxy("http_proxy"), httpsProxy: proxy("https_proxy"), noProxy: noProxy() };
  const { httpProxy, httpsProxy } = options;
  if ((httpProxy === undefined && httpsProxy === undefined) || options.noProxy.split(/[\s,]+/).includes("*"))
    return globalThis.fetch;
  const key = JSON.stringify(options);
  const known = fetches.get(key) ?? load().then((module) => proxyFetch(module, options));
  fetches.set(key, known);
  return await known;
}

const variable = (name: string): string | undefined =>
  process.env[name]?.trim() || process.env[name.toUpperCase()]?.trim() || undefined;

function proxy(name: string): string | undefined {
  const value = variable(name);
  if (value === undefined) return undefined;
  const url = /^[a-z][a-z\d+.-]*:\/\//i.test(value) ? value : `http://${value}`;
  if (URL.canParse(url) && /^https?:$/.test(new URL(url).protocol)) return url;
  throw new ModelError(
    "invalid_request",
    `${name.toUpperCase()} holds no address of an http or https proxy`,
    {
      hint: "write it as in http://proxy.example.com:8080, with user:password@ before the host where it wants them",
    },
  );
}

/** A proxy is of no use on the way to this machine; Go's and Python's clients leave it out there, too. */
const noProxy = (): string =>
  [variable("no_proxy"), "localhost", "127.0.0.1", "[::1]"].filter((part) => part !== undefined).join(",");

function proxyFetch(
  { fetch, EnvHttpProxyAgent }: ProxyModule,
  { httpProxy, httpsProxy, noProxy: not }: Options,
): Fetch {
  const dispatcher = new EnvHttpProxyAgent({
    ...(httpProxy !== undefined && { httpProxy }),
    ...(httpsProxy !== undefined && { httpsProxy }),
    ...(not !== undefined && { noProxy: not }),
  });
  const send = fetch as Fetch;
  return async (input, init) => {
    try {
      return await send(input, { ...init, dispatcher } as RequestInit);
    } catch (thrown) {
      const address = input instanceof Request ? input.url : String(input);
      const way = /^https:/i.test(address) ? (httpsProxy ?? httpProxy) : httpProxy;
      throw (way === undefined ? undefined : proxyFailure(thrown, way, address)) ?? thrown;
    }
  };
}

/** The failure in words where it is the proxy's, undefined for any other. */
function proxyFailure(thrown: unknown, way: string, address: string): ModelError | undefined {
  const proxyUrl = new URL(way);
  const port = proxyUrl.port || (proxyUrl.protocol === "https:" ? "443" : "80");
  for (let cause = thrown, depth = 0; isRecord(cause) && depth < 6; cause = cause.cause, depth++) {
    const status = /^Proxy response \((\d+)\)/.exec(String(cause.message))?.[1];
    if (status !== undefined) return refused(Number(status), shownUrl(way), new URL(address).host);
    const [first] = Array.isArray(cause.errors) ? (cause.errors as unknown[]) : [cause];
    const { code, port: failed, hostname } = isRecord(first) ? first : cause;
    if (typeof code !== "string" || (String(failed) !== port && hostname !== proxyUrl.hostname)) continue;
    return new ModelError("network", `no answer from the proxy at ${shownUrl(way)}: ${code}`, {
      hint: `check HTTPS_PROXY and HTTP_PROXY; hosts in NO_PROXY are reached without one`,
    });
  }
  return undefined;
}

function refused(status: number, proxyUrl: string, host: string): ModelError {
  const hint =
    status === 407
      ? "the proxy wants a user and a password: HTTPS_PROXY=http://USER:PASSWORD@HOST:PORT"
      : `let the proxy allow ${host}, or add it to NO_PROXY where it can be reached without`;
  const kind = status >= 500 ? "network" : "auth";
  return new ModelError(kind, `the proxy at ${proxyUrl} refused the way to ${host}: ${status}`, {
    status,
    hint,
  });
}
