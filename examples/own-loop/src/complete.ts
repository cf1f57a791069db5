import type { Tool } from "@toycoder/core";

/** A message of OpenAI's Chat Completions, as far as this example needs it. */
export interface Message {
  role: "user" | "assistant" | "tool";
  content: string | null;
  tool_calls?: { id: string; function: { name: string; arguments: string } }[];
  tool_call_id?: string | undefined;
}

/** One model call: Node's fetch, no library. `MODEL_URL`, `MODEL` and `MODEL_KEY` say whom to ask. */
export async function complete(messages: readonly Message[], tools: readonly Tool[]): Promise<Message> {
  const { MODEL_URL, MODEL, MODEL_KEY = "none" } = process.env;
  const response = await fetch(`${MODEL_URL}/chat/completions`, {
    method: "POST",
    headers: { "content-type": "application/json", authorization: `Bearer ${MODEL_KEY}` },
    body: JSON.stringify({
      model: MODEL,
      messages,
      tools: tools.map(({ name, description, jsonSchema }) => ({
        type: "function",
        function: { name, description, parameters: jsonSchema },
      })),
    }),
  });
  if (!response.ok) throw new Error(`the model's server answered ${response.status}`);
  const { choices } = (await response.json()) as { choices: [{ message: Message }] };
  return choices[0].message;
}
