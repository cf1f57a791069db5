import { z } from "zod";

const count = z.int().min(0);

export const errorSchema = z
  .object({
    code: z.string().describe("Machine-readable, in snake_case."),
    message: z.string().describe("What was wrong."),
    hint: z.string().optional().describe("What to do about it."),
  })
  .meta({ id: "error" });

export const changeSchema = z.object({
  path: z.string().describe("Relative to the workspace."),
  kind: z.enum(["created", "modified", "deleted"]),
  additions: count.describe("Lines, as in a unified diff."),
  deletions: count,
});

export const usageSchema = z.object({
  inputTokens: count.describe("All of the prompts, what came from the provider's cache included."),
  outputTokens: count,
  cacheReadTokens: count,
  cacheWriteTokens: count,
  reasoningTokens: count,
});

/** `RunResult`, in words for those who read it. */
export const resultSchema = z
  .object({
    schemaVersion: z.literal(1),
    status: z.enum([
      "completed",
      "limit",
      "denied",
      "provider_error",
      "output_invalid",
      "cancelled",
      "config_error",
      "mcp_error",
      "internal_error",
    ]),
    exitCode: count.describe("The process's exit code."),
    text: z.string().describe("The last answer. With an output schema that it fits: its JSON text."),
    output: z.unknown().describe("With an output schema that the answer fits: its value. Else null."),
    error: errorSchema.nullable().describe("Why the run did not complete; null where it did."),
    denials: z
      .array(
        z.object({
          tool: z.string(),
          arguments: z.unknown(),
          code: z
            .string()
            .describe("permission_denied, approval_required, tool_disabled or outside_workspace."),
          rule: z.string().nullable().describe("The rule that decided."),
          suggestion: z.string().nullable().describe("The rule that would let the call through."),
          suggestions: z.array(z.string()).describe("The rules that would let it through together."),
        }),
      )
      .describe("The calls that were turned away."),
    changes: z.array(changeSchema).describe("The net change of each file."),
    usage: usageSchema.extend({
      costUsd: z.number().nullable().describe("Null where a price is not known, or nothing was answered."),
    }),
    turns: count,
    toolCalls: count,
    durationMs: count,
    model: z.string().describe("provider:model; empty where the run ended before there was one."),
    sessionId: z.string().describe("For --resume and undo; empty where there is no session."),
  })
  .meta({ id: "result" });
