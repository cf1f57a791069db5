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
  for await (const { data } of Stream.rawEvents(withBlankEnd(response), controller)) {
    if (data.trim() === "" || data.startsWith("[DONE]")) continue;
    const value: unknown = JSON.parse(data);
    if (isRecord(value)) yield value;
  }
}

/** Some servers leave out the blank line after the last event, which the SDK's decoder waits for. */
function withBlankEnd(response: Response): Response {
  const blank = new TransformStream<Uint8Array, Uint8Array>({
    flush: (controller) => controller.enqueue(new TextEncoder().encode("\n\n")),
  });
  return response.body === null ? response : new Response(response.body.pipeThrough(blank));
}
