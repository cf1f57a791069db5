import { isRecord } from "@toycoder/core/wire";

/** What one event of a stream holds: a JSON object, or the mark that ends a stream. */
export type ServerEvent = Readonly<Record<string, unknown>> | "done";

/**
 * The events of a stream, read with the SDK's decoder. Throws a SyntaxError for data that is not JSON.
 * Comments, pings and events without data are passed over.
 */
export async function* serverEvents(
  response: Response,
  controller: AbortController,
): AsyncGenerator<ServerEvent, void, undefined> {
  const { _iterSSEMessages: messages } = await import("openai/core/streaming");
  for await (const { data } of messages(response, controller)) {
    if (data.startsWith("[DONE]")) {
      yield "done";
      return;
    }
    if (data.trim() === "") continue;
    const value: unknown = JSON.parse(data);
    if (isRecord(value)) yield value;
  }
}
