import {
  type AssistantPart,
  type Message,
  text,
  type ToolCallPart,
  type ToolResultPart,
} from "../message.ts";
import { textHash } from "./text-hash.ts";

export interface HistoryRules {
  /** What a call id must look like on the wire. Others are replaced, in the call and its result alike. */
  callId: RegExp;
}

/**
 * The conversation as every provider accepts it: each call is followed by exactly one result, in call order, in
 * one `tool` message; a missing one says that the call was cancelled; results without a call and messages
 * without content are gone; no call id comes twice. The messages given are not changed.
 */
export function validHistory(messages: readonly Message[], { callId }: HistoryRules): Message[] {
  const valid: Message[] = [];
  const used = new Set<string>();
  for (let at = 0; at < messages.length; at++) {
    const message = messages[at];
    if (message === undefined || message.role === "tool") continue;
    const content = message.content.filter((part) => part.type !== "text" || part.text !== "");
    if (content.length === 0) continue;
    if (message.role === "user") {
      valid.push({ role: "user", content: content.filter(isContent) });
      continue;
    }
    const results = followingResults(messages, at + 1);
    const answers: ToolResultPart[] = [];
    const parts = (content as AssistantPart[]).map((part) => {
      if (part.type !== "tool_call") return part;
      const id = freshId(part.id, used, callId);
      answers.push({ ...takeResult(results, part), callId: id });
      return { ...part, id };
    });
    valid.push({ role: "assistant", content: parts });
    if (answers.length > 0) valid.push({ role: "tool", results: answers });
  }
  return valid;
}

const isContent = (part: { type: string }): part is Extract<Message, { role: "user" }>["content"][number] =>
  part.type === "text" || part.type === "image";

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
