import { isToolError, messageOf, ToolError } from "@toycoder/core";
import { z } from "zod";

export interface Request {
  signal: AbortSignal;
  apikey?: string;
}

type Parameters = Readonly<Record<string, string | number>>;

/** More than any answer of 16 days; what is longer is not Open-Meteo's. */
const MAX_BYTES = 1024 * 1024;

/** On errors, HTTP 400 for one, the API answers with this object: https://open-meteo.com/en/docs, "Errors". */
const ERROR = z.object({ error: z.literal(true), reason: z.string() });

/**
 * Asks one of Open-Meteo's services. Throws a ToolError: `rate_limited`, `request_refused`, `service_failed`,
 * `service_unreachable`, `bad_answer`. No message holds the address's parameters, as a key may be among them.
 */
export async function ask<T>(
  base: string,
  path: string,
  parameters: Parameters,
  schema: z.ZodType<T>,
  { signal, apikey }: Request,
): Promise<T> {
  const url = new URL(path, base.endsWith("/") ? base : `${base}/`);
  for (const [name, value] of Object.entries(parameters)) url.searchParams.set(name, String(value));
  if (apikey !== undefined) url.searchParams.set("apikey", apikey);
  const { host } = url;
  let response: Response;
  let text: string;
  try {
    // A redirect could lead to a host that the call's effects didn't name.
    response = await fetch(url, { signal, redirect: "manual", headers: { accept: "application/json" } });
    text = await readText(response, host);
  } catch (error) {
    if (signal.aborted || isToolError(error)) throw error;
    const { cause } = error as { cause?: unknown };
    throw new ToolError("service_unreachable", `${host} cannot be reached: ${messageOf(cause ?? error)}`);
  }
  const body = parse(text);
  if (!response.ok) throw refusal(response, body, host);
  if (body === undefined) throw new ToolError("bad_answer", `${host} answered with what is no JSON`);
  const read = schema.safeParse(body);
  if (read.success) return read.data;
  const [issue] = read.error.issues;
  throw new ToolError(
    "bad_answer",
    `${host} answered with something unexpected at ${issue?.path.join(".") || "its root"}: ${issue?.message}`,
    { hint: "is the plugin's baseUrl the address of Open-Meteo's API?" },
  );
}

async function readText(response: Response, host: string): Promise<string> {
  const decoder = new TextDecoder();
  let text = "";
  let bytes = 0;
  for await (const chunk of response.body ?? []) {
    bytes += chunk.byteLength;
    if (bytes > MAX_BYTES) throw new ToolError("bad_answer", `${host} answered with more than 1 MB`);
    text += decoder.decode(chunk, { stream: true });
  }
  return text + decoder.decode();
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text) as unknown;
  } catch {
    return undefined;
  }
}

function refusal({ status, headers }: Response, body: unknown, host: string): ToolError {
  const told = ERROR.safeParse(body);
  const reason = told.success ? told.data.reason : `HTTP ${status}`;
  if (status === 429) {
    const after = headers.get("retry-after");
    const hint = after === null ? "ask again later, not at once" : `ask again after ${after} s, not before`;
    return new ToolError("rate_limited", `${host} takes no more requests for now: ${reason}`, { hint });
  }
  if (status >= 400 && status < 500)
    return new ToolError("request_refused", `${host} refused the request: ${reason}`);
  return new ToolError("service_failed", `${host} failed: ${reason}`, { hint: "ask again later" });
}
