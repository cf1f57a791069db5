import { type Answer, pieces } from "./answer.ts";

// Anthropic Messages: object shapes of the API reference, "messages" and "streaming messages".

const usage = {
  input_tokens: 100,
  output_tokens: 10,
  cache_read_input_tokens: 0,
  cache_creation_input_tokens: 0,
};

const message = (turn: number, content: unknown, stop_reason: string | null) => ({
  id: `msg_${turn}`,
  type: "message",
  role: "assistant",
  model: "m",
  content,
  stop_reason,
  stop_sequence: null,
  usage,
});

const blocksOf = ({ text, calls = [] }: Answer, turn: number) => [
  ...(text === undefined ? [] : [{ type: "text" as const, text }]),
  ...calls.map((call, index) => ({
    type: "tool_use" as const,
    id: `toolu_${turn}_${index}`,
    name: call.name,
    input: call.arguments,
  })),
];

const stopReason = ({ calls = [] }: Answer): string => (calls.length > 0 ? "tool_use" : "end_turn");

export const messagesJson = (answer: Answer, turn: number): unknown =>
  message(turn, blocksOf(answer, turn), stopReason(answer));

export function messagesSse(answer: Answer, turn: number): string[] {
  const event = (type: string, body: object = {}): string =>
    `event: ${type}\ndata: ${JSON.stringify({ type, ...body })}\n\n`;
  const events = [event("message_start", { message: message(turn, [], null) }), event("ping")];
  for (const [index, block] of blocksOf(answer, turn).entries()) {
    if (block.type === "text") {
      events.push(event("content_block_start", { index, content_block: { type: "text", text: "" } }));
      for (const text of pieces(block.text)) {
        events.push(event("content_block_delta", { index, delta: { type: "text_delta", text } }));
      }
    } else {
      events.push(event("content_block_start", { index, content_block: { ...block, input: {} } }));
      for (const partial_json of pieces(JSON.stringify(block.input))) {
        events.push(
          event("content_block_delta", { index, delta: { type: "input_json_delta", partial_json } }),
        );
      }
    }
    events.push(event("content_block_stop", { index }));
  }
  events.push(
    event("message_delta", { delta: { stop_reason: stopReason(answer), stop_sequence: null }, usage }),
  );
  events.push(event("message_stop"));
  return events;
}
