import { type Answer, pieces } from "./answer.ts";

// OpenAI Responses: object shapes of the API reference, "response object" and "streaming events".

interface Item {
  id: string;
  type: string;
  [key: string]: unknown;
}

function itemsOf({ text, calls = [] }: Answer, turn: number): Item[] {
  const message: Item = {
    id: `msg_${turn}`,
    type: "message",
    role: "assistant",
    status: "completed",
    content: [{ type: "output_text", text: text ?? "", annotations: [] }],
  };
  const functions = calls.map((call, index) => ({
    id: `fc_${turn}_${index}`,
    type: "function_call",
    status: "completed",
    call_id: `call_${turn}_${index}`,
    name: call.name,
    arguments: JSON.stringify(call.arguments),
  }));
  return [...(text === undefined ? [] : [message]), ...functions];
}

const response = (turn: number, status: string, output: unknown) => ({
  id: `resp_${turn}`,
  object: "response",
  created_at: 1,
  model: "m",
  status,
  output,
  usage: {
    input_tokens: 100,
    input_tokens_details: { cached_tokens: 0 },
    output_tokens: 10,
    output_tokens_details: { reasoning_tokens: 0 },
    total_tokens: 110,
  },
});

export const responsesJson = (answer: Answer, turn: number): unknown =>
  response(turn, "completed", itemsOf(answer, turn));

export function responsesSse(answer: Answer, turn: number): string[] {
  const events: string[] = [];
  const emit = (type: string, body: object): void => {
    events.push(
      `event: ${type}\ndata: ${JSON.stringify({ type, sequence_number: events.length, ...body })}\n\n`,
    );
  };
  const items = itemsOf(answer, turn);
  emit("response.created", { response: response(turn, "in_progress", []) });
  for (const [output_index, item] of items.entries()) {
    const at = { item_id: item.id, output_index };
    if (item.type === "message") {
      emit("response.output_item.added", {
        output_index,
        item: { ...item, status: "in_progress", content: [] },
      });
      for (const delta of pieces(answer.text ?? ""))
        emit("response.output_text.delta", { ...at, content_index: 0, delta });
      emit("response.output_text.done", { ...at, content_index: 0, text: answer.text });
    } else {
      emit("response.output_item.added", {
        output_index,
        item: { ...item, status: "in_progress", arguments: "" },
      });
      for (const delta of pieces(String(item["arguments"])))
        emit("response.function_call_arguments.delta", { ...at, delta });
      emit("response.function_call_arguments.done", { ...at, arguments: item["arguments"] });
    }
    emit("response.output_item.done", { output_index, item });
  }
  emit("response.completed", { response: response(turn, "completed", items) });
  return events;
}
