import { type Answer, pieces } from "./answer.ts";

// OpenAI Chat Completions: object shapes of the API reference, "chat completion" and "chat completion chunk".

const head = (turn: number, object: string) => ({ id: `chatcmpl-${turn}`, object, created: 1, model: "m" });
const usage = { prompt_tokens: 100, completion_tokens: 10, total_tokens: 110 };

const toolCalls = ({ calls = [] }: Answer, turn: number) =>
  calls.map((call, index) => ({
    id: `call_${turn}_${index}`,
    type: "function",
    function: { name: call.name, arguments: JSON.stringify(call.arguments) },
  }));

const finish = ({ calls = [] }: Answer): string => (calls.length > 0 ? "tool_calls" : "stop");

export function chatJson(answer: Answer, turn: number): unknown {
  const calls = toolCalls(answer, turn);
  const message = {
    role: "assistant",
    content: answer.text ?? null,
    ...(calls.length > 0 && { tool_calls: calls }),
  };
  return {
    ...head(turn, "chat.completion"),
    choices: [{ index: 0, message, finish_reason: finish(answer) }],
    usage,
  };
}

export function chatSse(answer: Answer, turn: number): string[] {
  const chunk = (delta: object, reason: string | null = null): string =>
    data({ ...head(turn, "chat.completion.chunk"), choices: [{ index: 0, delta, finish_reason: reason }] });
  const events = [chunk({ role: "assistant", content: "" })];
  for (const piece of pieces(answer.text ?? "")) events.push(chunk({ content: piece }));
  for (const [index, call] of toolCalls(answer, turn).entries()) {
    const { id, type, function: fn } = call;
    events.push(chunk({ tool_calls: [{ index, id, type, function: { name: fn.name, arguments: "" } }] }));
    for (const piece of pieces(fn.arguments))
      events.push(chunk({ tool_calls: [{ index, function: { arguments: piece } }] }));
  }
  events.push(chunk({}, finish(answer)));
  events.push(data({ ...head(turn, "chat.completion.chunk"), choices: [], usage }), "data: [DONE]\n\n");
  return events;
}

const data = (value: unknown): string => `data: ${JSON.stringify(value)}\n\n`;
