import { ModelError } from "@toycoder/core";
import { errorText, readFault } from "@toycoder/core/wire";

/** What servers say where they were started without what tools need, and what to do. docs/providers.md has the sources. */
const HINTS: readonly (readonly [RegExp, string])[] = [
  [/requires --jinja/i, "start llama-server with --jinja, or take a newer one, where that is the default"],
  [
    /--enable-auto-tool-choice/,
    "start vLLM with --enable-auto-tool-choice and the --tool-call-parser of the model (vLLM docs, Tool Calling)",
  ],
  [
    /does not support tools/i,
    "take a model with tools; Ollama lists them at https://ollama.com/search?c=tools",
  ],
];

/** The same answer. What it fails with is a ModelError with a hint, and final, where the server has to be set up. */
export async function explained(answer: Promise<Response>): Promise<Response> {
  try {
    return await answer;
  } catch (thrown) {
    const { message, status } = readFault(thrown);
    const hint = HINTS.find(([pattern]) => pattern.test(message))?.[1];
    if (hint === undefined || status === undefined) throw thrown;
    throw new ModelError("invalid_request", `the server answered ${status}: ${errorText(message)}`, {
      status,
      hint,
    });
  }
}
