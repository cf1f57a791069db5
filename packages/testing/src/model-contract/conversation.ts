import assert from "node:assert/strict";
import type { ImagePart, Message, ModelRequest, ToolCallPart, ToolResultPart } from "@toycoder/core";
import { reply } from "../reply.ts";
import { askWire } from "./ask-wire.ts";
import type { ModelWire, SentPart, SentRequest } from "./subject.ts";

export const PNG: ImagePart = { type: "image", mediaType: "image/png", data: "iVBORw0KGgo=" };

export const call = (id: string, args: ToolCallPart["arguments"], name = "read_file"): ToolCallPart => ({
  type: "tool_call",
  id,
  name,
  arguments: args,
});

export const result = (callId: string, ...content: ToolResultPart["content"]): ToolResultPart => ({
  callId,
  name: "read_file",
  ok: true,
  content,
});

export const calls = (...content: Extract<Message, { role: "assistant" }>["content"]): Message => ({
  role: "assistant",
  content,
});

export const results = (...all: ToolResultPart[]): Message => ({ role: "tool", results: all });

/** The parts of one type. */
export const partsOf = <T extends SentPart["type"]>(
  sent: SentRequest,
  type: T,
): Extract<SentPart, { type: T }>[] =>
  sent.parts.filter((part): part is Extract<SentPart, { type: T }> => part.type === type);

/** What goes out for a request. */
export async function sentFor(wire: ModelWire, request: Partial<ModelRequest>): Promise<SentRequest> {
  const { run, requests } = await askWire(wire, [reply.json(wire.json({ text: "ok" }))], { request });
  assert.equal(run.thrown, undefined);
  return wire.sent(requests[0]?.body ?? {});
}

/** Calls and results pair up, each id once. */
export function assertPaired(sent: SentRequest): void {
  const ids = partsOf(sent, "tool_call").map(({ id }) => id);
  assert.equal(new Set(ids).size, ids.length, "no call id comes twice");
  assert.deepEqual(
    partsOf(sent, "tool_result").map(({ callId }) => callId),
    ids,
  );
}
