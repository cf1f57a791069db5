import { isRecord } from "@toycoder/core/wire";

/** The JSON object of one event of a stream. */
export type ServerEvent = Readonly<Record<string, unknown>>;

/**
 * The events of a stream, read with the SDK's decoder. Throws a SyntaxError for data that is not JSON. Events are
 * told apart by the `type` in their data: some servers send no event names.
 */
export async function* serverEvents(
  response: Response,
  controller: AbortController,
): AsyncGenerator<ServerEvent, void, undefined> {
  const { Stream } = await import("@anthropic-ai/sdk/core/streaming");
  for await (const { data } of Stream.rawEvents(response, controller)) {
    if (data.trim() === "" || data.startsWith("[DONE]")) continue;
    const value: unknown = JSON.parse(data);
    if (isRecord(value)) yield value;
  }
}
