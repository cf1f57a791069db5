interface Event {
  type: string;
  [field: string]: unknown;
}

const USAGE = {
  input_tokens: 10,
  cache_read_input_tokens: 4,
  cache_creation_input_tokens: 2,
  output_tokens: 1,
};

/** The events of one content block: its start, its deltas, its stop. */
export const block = (index: number, start: object, ...deltas: object[]): Event[] => [
  { type: "content_block_start", index, content_block: start },
  ...deltas.map((delta) => ({ type: "content_block_delta", index, delta })),
  { type: "content_block_stop", index },
];

export const textBlock = (index: number, text: string): Event[] =>
  block(
    index,
    { type: "text", text: "" },
    ...[...text].map((piece) => ({ type: "text_delta", text: piece })),
  );

export const toolBlock = (index: number, id: string, json: string): Event[] =>
  block(
    index,
    { type: "tool_use", id, name: "read_file", input: {} },
    ...[...json].map((piece) => ({ type: "input_json_delta", partial_json: piece })),
  );

/** A whole message around its blocks. */
export const message = (blocks: readonly Event[], stop: string | null = "end_turn"): Event[] => [
  { type: "message_start", message: { id: "msg_1", role: "assistant", content: [], usage: USAGE } },
  { type: "ping" },
  ...blocks,
  { type: "message_delta", delta: { stop_reason: stop }, usage: { input_tokens: null, output_tokens: 3 } },
  { type: "message_stop" },
];

/** A message as one JSON value. */
export const whole = (content: readonly object[], stop = "end_turn"): object => ({
  type: "message",
  role: "assistant",
  content,
  stop_reason: stop,
  usage: { ...USAGE, output_tokens: 3 },
});
