import { EMPTY_INPUT } from "./schema/empty-input.ts";
import type { InputSchema } from "./schema/to-json-schema.ts";
import { defineTool, type Tool, type ToolContext, type ToolOptions } from "./tool.ts";

/** A function that `registry.tool` takes: its name is the tool's. */
export type ToolFunction = (...args: never[]) => unknown;

/** What `registry.tool(options)` needs beside the function; all of it has a default. */
export interface FunctionOptions<Input, Parsed> extends Partial<
  Omit<ToolOptions<Input, Parsed, unknown>, "execute" | "toModel" | "output">
> {
  input?: InputSchema<Input, Parsed>;
}

/**
 * Makes a tool of a function. Its name defaults to the function's in snake_case, its description to that in words,
 * its input to no arguments. Throws a SetupError `invalid_tool` for a function that has no name.
 */
export function fromFunction<Input, Parsed>(options: FunctionOptions<Input, Parsed>, fn: ToolFunction): Tool {
  const name = options.name ?? snakeCase(fn.name);
  const call = fn as (input: unknown, ctx: ToolContext) => unknown;
  return defineTool<unknown, unknown, unknown>({
    ...(options as Partial<ToolOptions<unknown, unknown, unknown>>),
    name,
    description: options.description ?? sentence(name),
    input: (options.input as InputSchema | undefined) ?? EMPTY_INPUT,
    execute: (input, ctx) => call(input, ctx),
  });
}

/** `getHTTPStatus2` becomes `get_http_status2`. */
function snakeCase(name: string): string {
  return name
    .replaceAll(/([a-z0-9])([A-Z])/g, "$1_$2")
    .replaceAll(/([A-Z]+)([A-Z][a-z])/g, "$1_$2")
    .replaceAll(/[^A-Za-z0-9]+/g, "_")
    .replaceAll(/^_+|_+$/g, "")
    .toLowerCase();
}

const sentence = (name: string): string => {
  const words = name.replaceAll("_", " ");
  return `${words.charAt(0).toUpperCase()}${words.slice(1)}.`;
};
