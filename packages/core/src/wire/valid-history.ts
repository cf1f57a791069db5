import {
  type AssistantPart,
  type ContentPart,
  type Message,
  text,
  type ToolCallPart,
  type ToolResultPart,
} from "../message.ts";
import { sameItems } from "./remember.ts";
import { textHash } from "./text-hash.ts";

/** What a server takes as a history. */
export interface HistoryRules {
  /** What a call id must look like on the wire. Others are replaced, in the call and its result alike. */
  callId: RegExp;
}

/**
 * The conversation as every provider accepts it: each call is followed by exactly one result, in call order, in
 * one `tool` message; a missing one says that the call was cancelled; results without a call and messages
 * without content are gone; no call id comes twice. The messages given are not changed; those that are right as they
 * are come back as the same objects.
 */
export function validHistory(messages: readonly Message[], { callId }: HistoryRules): Message[] {
  const valid: Message[] = [];
  const used = new Set<string>();
  for (let at = 0; at < messages.length; at++) {
    const message = messages[at];
    if (message === undefined || message.role === "tool") continue;
    if (message.role === "user") {
      const content = kept(message.content, isContent);
      if (content.length > 0) valid.push(content === message.content ? message : { role: "user", content });
      continue;
    }
    const content = kept(message.content, isSaid);
    if (content.length === 0) continue;
    const results = followingResults(messages, at + 1);
    const answers: ToolResultPart[] = [];
    const parts = content.map((part) => {
      if (part.type !== "tool_call") return part;
      const id = freshId(part.id, used, callId);
      const answer = takeResult(results, part);
      answers.push(answer.callId === id ? answer : { ...answer, callId: id });
      return part.id === id ? part : { ...part, id };
    });
    valid.push(sameItems(parts, message.content) ? message : { role: "assistant", content: parts });
    if (answers.length === 0) continue;
    const next = messages[at + 1];
    const isNext = next?.role === "tool" && sameItems(answers, next.results);
    valid.push(isNext ? next : { role: "tool", results: answers });
  }
  return valid;
}

const isSaid = (part: AssistantPart | ContentPart): boolean => part.type !== "text" || part.text !== "";

const isContent = (part: ContentPart): boolean =>
  (part.type === "text" || part.type === "image") && isSaid(part);

/** The items that pass; the array itself where all do. */
const kept = <T>(items: readonly T[], test: (item: T) => boolean): readonly T[] =>
  items.every(test) ? items : items.filter(test);

/** The results between here and the next question or answer. */
function followingResults(messages: readonly Message[], from: number): ToolResultPart[] {
  const results: ToolResultPart[] = [];
  for (let at = from; at < messages.length; at++) {
    const message = messages[at];
    if (message?.role !== "tool") break;
    results.push(...message.results);
  }
  return results;
}

/** Takes the first result of the call's id, so that two calls of one id get one each. */
function takeResult(results: ToolResultPart[], call: ToolCallPart): ToolResultPart {
  const at = results.findIndex((result) => result.callId === call.id);
  const [result] = at === -1 ? [] : results.splice(at, 1);
  return (
    result ?? {
      callId: call.id,
      name: call.name,
      ok: false,
      code: "cancelled",
      content: [text("cancelled: this call was not run to its end")],
    }
  );
}

function freshId(id: string, used: Set<string>, pattern: RegExp): string {
  let fresh = pattern.test(id) ? id : `call_${textHash(id, 16)}`;
  for (let count = 2; used.has(fresh); count++) fresh = `call_${textHash(`${id}#${count}`, 16)}`;
  used.add(fresh);
  return fresh;
}
