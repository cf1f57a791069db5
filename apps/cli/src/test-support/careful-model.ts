import type { Answer } from "./answer.ts";

/** A call that the model wants to have made once, and how it finds out whether it was: a file holds a text. */
export interface Wish {
  name: string;
  arguments: Readonly<Record<string, unknown>>;
  evidence: { path: string; holds: string };
}

interface ChatMessage {
  role: string;
  content: string | null;
  tool_calls?: { id: string; function: { name: string; arguments: string } }[];
  tool_call_id?: string;
}

/**
 * A model that works wishes off, a list of them each turn, by nothing but what a Chat Completions request shows: so
 * it can be asked again, and go on in a session that was cut off. It looks before it repeats an uncertain call.
 */
export function carefulModel(turns: readonly (readonly Wish[])[]): (request: unknown) => Answer {
  return (request) => {
    const { messages } = request as { messages: readonly ChatMessage[] };
    const states = statesOf(messages, turns.flat());
    const todo = turns.find((wishes) => wishes.some((wish) => states.get(wish) !== "done")) ?? [];
    const uncertain = todo.filter((wish) => states.get(wish) === "uncertain");
    const open = todo.filter((wish) => states.get(wish) === undefined);
    const calls =
      uncertain.length > 0
        ? uncertain.map(({ evidence }) => ({ name: "read_file", arguments: { path: evidence.path } }))
        : open.map(({ name, arguments: args }) => ({ name, arguments: args }));
    return calls.length > 0 ? { calls } : { text: "Done." };
  };
}

function statesOf(
  messages: readonly ChatMessage[],
  wishes: readonly Wish[],
): Map<Wish, "done" | "uncertain"> {
  const states = new Map<Wish, "done" | "uncertain">();
  const calls = new Map(
    messages.flatMap(({ tool_calls = [] }) => tool_calls.map((call) => [call.id, call.function])),
  );
  for (const { tool_call_id: id, content } of messages) {
    const call = id === undefined ? undefined : calls.get(id);
    if (call === undefined) continue;
    const result = content ?? "";
    const unknown = result.startsWith("Error (uncertain)");
    const wish = wishes.find(
      (one) => one.name === call.name && JSON.stringify(one.arguments) === call.arguments,
    );
    if (wish !== undefined) states.set(wish, unknown ? "uncertain" : "done");
    else if (!unknown) look(call.arguments, result, states);
  }
  return states;
}

/** Takes what a read_file shows for the truth about the uncertain calls on that file. */
function look(args: string, shown: string, states: Map<Wish, "done" | "uncertain">): void {
  const { path } = JSON.parse(args) as { path: string };
  for (const [wish, state] of states) {
    if (state !== "uncertain" || wish.evidence.path !== path) continue;
    if (shown.includes(wish.evidence.holds)) states.set(wish, "done");
    else states.delete(wish);
  }
}
