import { isModelError, type Model, type ModelError } from "@toycoder/core";
import { say } from "./messages.ts";

/** The text of one call, or the ModelError that it ended with. */
export async function ask(model: Model): Promise<string | ModelError> {
  let said = "";
  const request = { instructions: "", messages: [say("hi")], tools: [] };
  try {
    for await (const event of model.stream(request, { signal: new AbortController().signal }))
      if (event.type === "text") said += event.text;
    return said;
  } catch (thrown) {
    if (isModelError(thrown)) return thrown;
    throw thrown;
  }
}
