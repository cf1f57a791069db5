import {
  defineTool,
  type Message,
  type Model,
  type ModelEvent,
  type ModelRequest,
  text,
  type Tool,
} from "@toycoder/core";
import * as z from "zod";

export const readFile: Tool = defineTool({
  name: "read_file",
  description: "Read a file.",
  input: z.object({ path: z.string(), limit: z.number().int().default(200) }),
  execute: () => "",
}) as Tool;

export const say = (value: string): Message => ({ role: "user", content: [text(value)] });

/** The events of one call, and what it threw. */
export interface Run {
  events: ModelEvent[];
  thrown: unknown;
  /** The text since the last retry. */
  text: string;
}

/** Streams one call to its end; `onEvent` sees each event as it comes. */
export async function runModel(
  model: Model,
  request: Partial<ModelRequest> = {},
  {
    signal = new AbortController().signal,
    onEvent = (): void => undefined,
  }: { signal?: AbortSignal; onEvent?: (event: ModelEvent) => void } = {},
): Promise<Run> {
  const run: Run = { events: [], thrown: undefined, text: "" };
  const whole = { instructions: "Be brief.", messages: [say("hi")], tools: [readFile], ...request };
  try {
    for await (const event of model.stream(whole, { signal })) {
      run.events.push(event);
      if (event.type === "text") run.text += event.text;
      if (event.type === "retry") run.text = "";
      onEvent(event);
    }
  } catch (thrown) {
    run.thrown = thrown;
  }
  return run;
}

/** Events of one type. */
export const only = <T extends ModelEvent["type"]>(run: Run, type: T): Extract<ModelEvent, { type: T }>[] =>
  run.events.filter((event) => event.type === type) as Extract<ModelEvent, { type: T }>[];
