import { z } from "zod";
import { changeSchema, errorSchema, resultSchema, usageSchema } from "./result-schema.ts";

const count = z.int().min(0);
const turn = count.describe("From 1; of the session.");
const callId = z.string();
const args = z.union([z.string(), z.record(z.string(), z.unknown())]);

const contentPart = z
  .discriminatedUnion("type", [
    z.object({ type: z.literal("text"), text: z.string() }),
    z.object({ type: z.literal("image"), mediaType: z.string(), data: z.string().describe("Base64.") }),
  ])
  .meta({ id: "contentPart" });
const content = z.array(contentPart);

const data = z
  .object({ provider: z.string(), value: z.unknown() })
  .describe("What the provider wants back untouched.")
  .meta({ id: "providerData" })
  .optional();

const effect = z
  .object({
    kind: z.enum(["read", "write", "exec", "net"]),
    path: z.string().optional(),
    argv: z.array(z.string()).optional(),
    host: z.string().optional(),
    implied: z.boolean(),
    opaque: z.boolean(),
  })
  .meta({ id: "effect" });

/** What every event carries. */
const stamp = {
  v: z.literal(1),
  at: z.string().describe("ISO 8601, UTC."),
  parent: z.string().optional().describe("The call of the task tool whose subagent this is of."),
};

/** `AgentEvent`, in words for those who read it. */
export const eventSchema = z.discriminatedUnion("type", [
  z.object({
    ...stamp,
    type: z.literal("session_start"),
    sessionId: z.string(),
    model: z.string(),
    workspace: z.string(),
    task: z.string().describe("Empty where a run goes on without a new task."),
    resumed: z.literal(true).optional(),
  }),
  z
    .object({ ...stamp, type: z.literal("user"), content })
    .describe("What the model is told: the task first."),
  z.object({ ...stamp, type: z.literal("turn_start"), turn, tools: z.array(z.string()) }),
  z.object({ ...stamp, type: z.literal("reasoning"), turn, text: z.string(), data }),
  z.object({ ...stamp, type: z.literal("text"), turn, text: z.string() }),
  z.object({ ...stamp, type: z.literal("tool_call"), turn, callId, name: z.string(), arguments: args, data }),
  z
    .object({
      ...stamp,
      type: z.literal("usage"),
      turn,
      costUsd: z.number().nullable(),
      purpose: z.literal("compaction").optional(),
      ...usageSchema.shape,
    })
    .describe("One answer of the model; what it says is complete here."),
  z.object({
    ...stamp,
    type: z.literal("decision"),
    callId,
    tool: z.string(),
    decision: z.enum(["allow", "ask", "deny", "disabled"]),
    rule: z.string().nullable(),
    reason: z.string(),
    effects: z.array(effect),
    refusal: z.string().optional().describe("The code with which the call was turned away."),
  }),
  z.object({
    ...stamp,
    type: z.literal("tool_result"),
    turn,
    callId,
    name: z.string(),
    ok: z.boolean(),
    code: z.string().optional().describe("The error's code, where ok is false."),
    content,
    notes: z.array(z.string()),
    durationMs: count,
  }),
  z.object({
    ...stamp,
    type: z.literal("change"),
    ...changeSchema.shape,
    file: z.string().describe("The real path."),
    before: z.string().nullable().describe("The file of the session's folder with the bytes before."),
    after: z.string().nullable().describe("SHA-256 of the bytes after; null where the file is gone."),
    mode: z.object({ before: count.optional(), after: count.optional() }).optional(),
    folders: z.array(z.string()).optional().describe("The folders that were made for it."),
    by: z.enum(["undo", "redo"]).optional(),
  }),
  z
    .object({
      ...stamp,
      type: z.literal("compaction"),
      turn,
      reason: z.enum(["near", "overflow"]),
      tokensBefore: count,
      tokensAfter: count,
      dropped: count.describe("The messages taken out, after the first one of the user."),
      summary: z.string().describe("What stands for them."),
      resultChars: count.optional().describe("The length to which results were cut."),
    })
    .describe("The conversation was shortened to fit the model's window."),
  z
    .object({
      ...stamp,
      type: z.literal("retry"),
      turn,
      attempt: count,
      delayMs: count,
      error: errorSchema,
    })
    .describe("The model is asked again: the deltas of this turn so far are void."),
  z.object({ ...stamp, type: z.literal("notice"), code: z.string(), message: z.string() }),
  z.object({
    ...stamp,
    type: z.literal("turn_end"),
    turn,
    finish: z.enum(["stop", "tool_calls", "length", "refusal"]),
  }),
  z.object({ ...stamp, type: z.literal("result"), result: resultSchema }).describe("The last one."),
  z.object({ ...stamp, type: z.literal("text_delta"), turn, text: z.string() }),
  z.object({ ...stamp, type: z.literal("reasoning_delta"), turn, text: z.string() }),
  z.object({ ...stamp, type: z.literal("tool_progress"), callId, tool: z.string(), message: z.string() }),
]);
