import { isRecord, fields, listOf, stringOr } from "@toycoder/core/wire";

/** A call as far as it has come. */
export interface PartialCall {
  id: string;
  name: string;
  /** JSON text in the making; an object where the server sent one instead of text. */
  arguments: unknown;
  /** What the server wants back with the call untouched: Gemini's thought signature. */
  extra?: unknown;
}

/** Puts the calls of one answer together from the `tool_calls` of its deltas. */
export interface CallCollector {
  add(toolCalls: unknown): void;
  /** In the order in which they began. */
  readonly calls: readonly PartialCall[];
}

/**
 * Deltas belong to the call of their `index`, or else of their id, or else to the last one. A new id with a name
 * under an index that is taken begins another call: some servers number every call 0.
 */
export function createCallCollector(): CallCollector {
  const calls: PartialCall[] = [];
  const byIndex = new Map<unknown, PartialCall>();

  const find = (index: unknown, id: string, name: string): PartialCall | undefined => {
    const known =
      typeof index === "number" ? byIndex.get(index) : calls.find((call) => id !== "" && call.id === id);
    if (known !== undefined)
      return id !== "" && known.id !== "" && known.id !== id && name !== "" ? undefined : known;
    return typeof index !== "number" && id === "" && name === "" ? calls.at(-1) : undefined;
  };

  return {
    calls,
    add(toolCalls) {
      for (const delta of listOf(toolCalls).map(fields)) {
        const { name: givenName, arguments: given } = fields(delta.function);
        const id = stringOr(delta.id, "");
        const name = stringOr(givenName, "");
        let call = find(delta.index, id, name);
        if (call === undefined) {
          call = { id, name, arguments: "" };
          calls.push(call);
          if (typeof delta.index === "number") byIndex.set(delta.index, call);
        }
        if (call.id === "") call.id = id;
        if (call.name === "") call.name = name;
        if (isRecord(delta.extra_content)) call.extra = delta.extra_content;
        if (isRecord(given)) call.arguments = given;
        else if (typeof given === "string") call.arguments = stringOr(call.arguments, "") + given;
      }
    },
  };
}
