import { defineTool, messageOf, type Tool } from "@toycoder/core";
import type { ForeignTools, LeftOutTool } from "../foreign-options.ts";
import { levelsOf } from "../tool-level.ts";
import { toolNames } from "../tool-names.ts";
import { inputSchema } from "./input-schema.ts";
import type { LangChainOptions, LangChainTool } from "./lang-chain-tool.ts";
import { runLangChainTool } from "./run-lang-chain-tool.ts";

/**
 * LangChain's tools as ToyCoder's, in snake_case: our rules and levels judge a call before the tool is invoked. A
 * ToolMessage's content is what the model sees, its artifact the output; the status `error` is a failure.
 *
 * A tool whose schema can't be described, and a second one of the same name, is left out with the reason. Throws a
 * SetupError for a glob in `levels` that no tool matches.
 */
export function fromLangChainTools(
  given: readonly LangChainTool[],
  options: LangChainOptions = {},
): ForeignTools {
  const theirs = given.map(({ name }) => name);
  const names = toolNames(theirs);
  const levelOf = levelsOf(theirs, options);
  const tools: Tool[] = [];
  const leftOut: LeftOutTool[] = [];
  for (const [index, tool] of given.entries()) {
    const { name } = tool;
    try {
      if (theirs.indexOf(name) !== index) throw new Error("another tool has that name");
      tools.push(ownTool(tool, names.get(name) ?? name, levelOf(name), options));
    } catch (error) {
      leftOut.push({ name, reason: messageOf(error) });
    }
  }
  return { tools, leftOut };
}

function ownTool(
  tool: LangChainTool,
  name: string,
  permission: Tool["permission"],
  { category = "external_api", timeoutMs, config }: LangChainOptions,
): Tool {
  const own = defineTool({
    name,
    tags: [tool.name],
    permission,
    category,
    description: tool.description || `The tool ${name}.`,
    input: inputSchema(tool.schema),
    ...(timeoutMs !== undefined && { timeoutMs }),
    execute: (input, ctx) => runLangChainTool(tool, input, ctx, config),
    toModel: (output) => output.toContent(),
  });
  // As the registry will have it: what throws there throws here.
  void own.jsonSchema;
  return own;
}
