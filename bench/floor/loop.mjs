// The least that an agent can be: Chat Completions, streamed, on Node's fetch, with five tools. No config, no policy,
// no session, no care. `node loop.mjs TASK`, with OPENAI_BASE_URL set.
import process from "node:process";
import { call, DEFINITIONS } from "./tools.mjs";

const SYSTEM = "You are a coding agent. Do the task with your tools, then say what you did.";
const url = `${process.env.OPENAI_BASE_URL}/chat/completions`;
const headers = { "content-type": "application/json", authorization: `Bearer ${process.env.OPENAI_API_KEY}` };
const messages = [
  { role: "system", content: SYSTEM },
  { role: "user", content: process.argv[2] },
];

let answer = await ask();
while (answer.tool_calls !== undefined) {
  const results = answer.tool_calls.map(async ({ id, function: { name, arguments: text } }) => ({
    role: "tool",
    tool_call_id: id,
    content: await call(name, JSON.parse(text)),
  }));
  messages.push(...(await Promise.all(results)));
  answer = await ask();
}
console.log(answer.content);

async function ask() {
  const body = JSON.stringify({ model: "m", stream: true, messages, tools: DEFINITIONS });
  const response = await fetch(url, { method: "POST", headers, body });
  if (!response.ok) throw new Error(`${response.status} ${await response.text()}`);
  let content = "";
  const calls = [];
  for await (const event of events(response.body)) {
    const delta = event.choices[0]?.delta;
    content += delta?.content ?? "";
    for (const { index, id, function: part } of delta?.tool_calls ?? []) {
      calls[index] ??= { id, type: "function", function: { name: part.name, arguments: "" } };
      calls[index].function.arguments += part.arguments ?? "";
    }
  }
  const message = { role: "assistant", content, ...(calls.length > 0 && { tool_calls: calls }) };
  messages.push(message);
  return message;
}

async function* events(body) {
  const decoder = new TextDecoder();
  let rest = "";
  for await (const bytes of body) {
    const lines = (rest + decoder.decode(bytes, { stream: true })).split("\n");
    rest = lines.pop();
    for (const line of lines) if (line.startsWith("data: {")) yield JSON.parse(line.slice(6));
  }
}
