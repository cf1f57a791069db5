import { type Model, type ModelRequest, textOf } from "@toycoder/core";
import { scriptedModel, type ScriptedTurn } from "@toycoder/testing";

/** What a conversation begins with. */
export const firstWords = ({ messages }: ModelRequest): string => {
  const [first] = messages;
  return first?.role === "user" ? textOf(first.content) : "";
};

/** A model that plays a script for each conversation, told apart by the words that it begins with. */
export function conversations(
  scripts: Record<string, readonly ScriptedTurn[]>,
): Model & { requests: ModelRequest[] } {
  const models = new Map(Object.entries(scripts).map(([begin, turns]) => [begin, scriptedModel(turns)]));
  const requests: ModelRequest[] = [];
  return {
    id: "conversations",
    requests,
    stream(request, options) {
      requests.push({ ...request, messages: structuredClone(request.messages) });
      const model = models.get(firstWords(request));
      if (model === undefined) throw new Error(`no script for ${firstWords(request)}`);
      return model.stream(request, options);
    },
  };
}
