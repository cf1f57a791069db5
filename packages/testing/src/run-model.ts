import {
  type AssistantPart,
  defineTool,
  jsonSchema,
  type Message,
  type Model,
  type ModelEvent,
  type ModelRequest,
  text,
  type Tool,
} from "@toycoder/core";

/** A tool to offer: `read_file` with a path and an optional limit. */
export const sampleTool: Tool = defineTool({
  name: "read_file",
  description: "Read a file.",
  input: jsonSchema({
    type: "object",
    properties: { path: { type: "string" }, limit: { type: "integer", default: 200 } },
    required: ["path"],
    additionalProperties: false,
  }),
  execute: () => "",
}) as Tool;

/** A message of the user. */
export const say = (value: string): Message => ({ role: "user", content: [text(value)] });

/** The events of one model call, and what it threw. */
export interface ModelRun {
  events: ModelEvent[];
  thrown: unknown;
  /** The text since the last retry. */
  text: string;
}

/** How a model is called once. */
export interface RunModelOptions {
  signal?: AbortSignal;
  /** Sees each event as it comes. */
  onEvent?: (event: ModelEvent) => void;
}

/** Streams one call to its end. What the request leaves out is a greeting, with {@link sampleTool} offered. */
export async function runModel(
  model: Model,
  request: Partial<ModelRequest> = {},
  { signal = new AbortController().signal, onEvent }: RunModelOptions = {},
): Promise<ModelRun> {
  const run: ModelRun = { events: [], thrown: undefined, text: "" };
  const whole = { instructions: "Be brief.", messages: [say("hi")], tools: [sampleTool], ...request };
  const pieces: string[] = [];
  try {
    for await (const event of model.stream(whole, { signal })) {
      run.events.push(event);
      if (event.type === "text") pieces.push(event.text);
      if (event.type === "retry") pieces.length = 0;
      onEvent?.(event);
    }
  } catch (thrown) {
    run.thrown = thrown;
  }
  run.text = pieces.join("");
  return run;
}

/** Events of one type. */
export const eventsOf = <T extends ModelEvent["type"]>(
  { events }: Pick<ModelRun, "events">,
  type: T,
): Extract<ModelEvent, { type: T }>[] =>
  events.filter((event): event is Extract<ModelEvent, { type: T }> => event.type === type);

/** What a run said since its last retry, as the message that goes back with the next request. */
export function answerOf({ events }: Pick<ModelRun, "events">): Extract<Message, { role: "assistant" }> {
  const content: AssistantPart[] = [];
  for (const event of events.slice(events.findLastIndex(({ type }) => type === "retry") + 1)) {
    let last = content.at(-1);
    if (event.type === "tool_call") content.push({ type: "tool_call", ...event.call });
    if (event.type === "text") {
      if (last?.type === "text") last.text += event.text;
      else content.push(text(event.text));
    }
    if (event.type === "reasoning") {
      if (last?.type !== "reasoning" || last.data !== undefined) {
        last = { type: "reasoning", text: "" };
        content.push(last);
      }
      last.text += event.text;
      if (event.data !== undefined) last.data = event.data;
    }
  }
  return { role: "assistant", content };
}
