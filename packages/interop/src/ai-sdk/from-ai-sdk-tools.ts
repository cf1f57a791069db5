import { defineTool, messageOf, type Tool } from "@toycoder/core";
import type { Tool as AiSdkTool, ToolSet } from "ai";
import type { ForeignOptions, ForeignTools, LeftOutTool } from "../foreign-options.ts";
import { ForeignOutput } from "../foreign-output.ts";
import { levelsOf } from "../tool-level.ts";
import { toolNames } from "../tool-names.ts";
import { inputSchema } from "./input-schema.ts";
import { runAiSdkTool } from "./run-ai-sdk-tool.ts";

/** How tools of the AI SDK are taken over. */
export interface AiSdkOptions extends ForeignOptions {
  /** What a tool gets as its `context`, by the tool's own name. */
  toolsContext?: Readonly<Record<string, unknown>>;
}

/**
 * Tools of the AI SDK as ToyCoder's, in snake_case: our rules and levels judge a call before it runs. A tool with
 * `needsApproval` asks, whatever `levels` say of it: only an allow rule lifts that. Of a tool that streams its result
 * the last part counts.
 *
 * What the provider runs, what has no `execute`, and what has a schema that can't be described is left out, with the
 * reason. Rejects with a SetupError for a glob in `levels` that no tool matches.
 */
export async function fromAiSdkTools(given: ToolSet, options: AiSdkOptions = {}): Promise<ForeignTools> {
  const entries = Object.entries<AiSdkTool>(given);
  const names = toolNames(Object.keys(given));
  const levelOf = levelsOf(Object.keys(given), options);
  const tools: Tool[] = [];
  const leftOut: LeftOutTool[] = [];
  for (const [theirs, tool] of entries) {
    const context = options.toolsContext?.[theirs];
    let reason = whyNot(tool, theirs, context);
    try {
      if (reason === undefined) {
        const asks = tool.needsApproval !== undefined && tool.needsApproval !== false;
        const common = {
          name: names.get(theirs) ?? theirs,
          tags: [theirs],
          permission: levelOf(theirs, asks),
        };
        tools.push(await ownTool(tool, { ...common, context, options }));
      }
    } catch (error) {
      reason = messageOf(error);
    }
    if (reason !== undefined) leftOut.push({ name: theirs, reason });
  }
  return { tools, leftOut };
}

interface Judged extends Pick<Tool, "name" | "tags" | "permission"> {
  context: unknown;
  options: AiSdkOptions;
}

async function ownTool(tool: AiSdkTool, { context, options, ...judged }: Judged): Promise<Tool> {
  const { category = "external_api", timeoutMs } = options;
  const own = defineTool({
    ...judged,
    category,
    description: descriptionOf(tool, context) || `The tool ${judged.name}.`,
    input: await inputSchema(tool.inputSchema),
    ...(timeoutMs !== undefined && { timeoutMs }),
    execute: (input, ctx) => runAiSdkTool(tool, input, ctx, context),
    ...(tool.toModelOutput !== undefined && {
      toModel: (output: unknown) => (output instanceof ForeignOutput ? output.toContent() : ""),
    }),
  });
  // As the registry will have it: what throws there throws here.
  void own.jsonSchema;
  return own;
}

function whyNot(tool: AiSdkTool, name: string, context: unknown): string | undefined {
  if (tool.type === "provider" && tool.isProviderExecuted)
    return `the provider runs it (${tool.id}), where no permission of ours holds`;
  if (tool.execute === undefined) return "it has no execute";
  return tool.contextSchema !== undefined && context === undefined
    ? `it needs a context: toolsContext.${name}`
    : undefined;
}

function descriptionOf(tool: AiSdkTool, context: unknown): string {
  if (tool.type === "provider") return `The tool ${tool.id} of the AI SDK's provider.`;
  const { description } = tool;
  return typeof description === "function" ? description({ context }) : (description ?? "");
}
