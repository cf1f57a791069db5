import type { ModelRequest, Tool } from "@toycoder/core";
import type { CompatibleSettings } from "../chat/model.ts";
import { openAiCompatible } from "../chat/model.ts";
import { say } from "./messages.ts";

/** The one request of a call: where it went, its headers and its body. */
export interface Captured {
  url: string;
  headers: Headers;
  // The bodies are compared with literals; their types would be in the way.
  body: Record<string, unknown> & { messages: Record<string, unknown>[] };
}

/** What `openAiCompatible` sends to a server, told without one: a fetch that answers "ok". */
export async function capture(
  settings: Partial<CompatibleSettings>,
  request: Partial<ModelRequest> & { tools?: readonly Tool[] } = {},
): Promise<Captured> {
  let captured: Captured | undefined;
  const fetch: typeof globalThis.fetch = (input, init) => {
    const { url, headers } = new Request(input, init);
    captured = { url, headers, body: JSON.parse(String(init?.body)) as Captured["body"] };
    const answer = { choices: [{ index: 0, message: { content: "ok" }, finish_reason: "stop" }] };
    return Promise.resolve(Response.json(answer));
  };
  const model = openAiCompatible({ model: "m", baseURL: "http://127.0.0.1:9/v1", ...settings, fetch });
  const whole = { instructions: "Be brief.", messages: [say("hi")], tools: [], ...request };
  for await (const _ of model.stream(whole, { signal: new AbortController().signal }));
  if (captured === undefined) throw new Error("no request was made");
  return captured;
}
