import type { ModelRequest, Usage } from "@toycoder/core";
import { fakeProvider, type ReceivedRequest, type Reply } from "../fake-provider.ts";
import { reply } from "../reply.ts";
import { type ModelRun, runModel, type RunModelOptions } from "../run-model.ts";
import type { ContractAnswer, ModelWire, WireSettings } from "./subject.ts";

/** Like no provider's keys: it has to be known to be kept out of messages. */
export const KEY = "contract/0123456789abcdef";

export const USAGE: Readonly<Usage> = {
  inputTokens: 16,
  outputTokens: 5,
  cacheReadTokens: 4,
  cacheWriteTokens: 2,
  reasoningTokens: 3,
};

/** An answer of each kind of part: a text and two calls at once. */
export const STANDARD: Readonly<Required<Pick<ContractAnswer, "text" | "calls" | "usage">>> = {
  text: "Hello",
  calls: [
    { id: "call_a", name: "read_file", arguments: '{"path":"a.txt"}' },
    { id: "call_b", name: "read_file", arguments: '{"path":"b.txt","limit":5}' },
  ],
  usage: USAGE,
};

export interface Asked {
  run: ModelRun;
  requests: readonly ReceivedRequest[];
}

export interface AskOptions extends RunModelOptions, Partial<WireSettings> {
  request?: Partial<ModelRequest>;
}

/** One call of the wire's model to a server that gives these replies. Waits for a retry end at once. */
export async function askWire(
  wire: ModelWire,
  replies: readonly Reply[],
  { request = {}, signal, onEvent, ...settings }: AskOptions = {},
): Promise<Asked> {
  await using server = await fakeProvider(...replies);
  const model = wire.model({ origin: server.url, apiKey: KEY, retries: AT_ONCE, ...settings });
  const run = await runModel(model, request, { ...(signal && { signal }), ...(onEvent && { onEvent }) });
  return { run, requests: server.requests };
}

/** Retries without waiting and without chance. */
export const AT_ONCE = { random: (): number => 0, sleep: (): Promise<void> => Promise.resolve() };

/** The standard answer as a server's reply. */
export const standardReply = (wire: ModelWire): Reply => reply.events(wire.events(STANDARD));
