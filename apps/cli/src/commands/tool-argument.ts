import { describeProblems, messageOf, type Tool, type ToolRegistry, validate } from "@toycoder/core";
import { asUsage, UsageError } from "../usage-error.ts";

/** The tool that a command line names. Throws a UsageError with the nearest name. */
export function toolOf(name: string | undefined, registry: ToolRegistry): Tool {
  if (name === undefined) throw new UsageError("the name of a tool is missing");
  return asUsage("", () => registry.require(name));
}

/** A JSON object from the command line; none given is `{}`. Throws a UsageError. */
export function objectArgument(text: string | undefined): Record<string, unknown> {
  let value: unknown;
  try {
    value = JSON.parse(text ?? "{}");
  } catch (error) {
    throw new UsageError(
      `the arguments are not JSON: ${messageOf(error)}`,
      `for instance '{"path":"README.md"}'`,
    );
  }
  if (typeof value !== "object" || value === null || Array.isArray(value)) {
    throw new UsageError("the arguments are one JSON object");
  }
  return value as Record<string, unknown>;
}

/** A tool's input from the command line's arguments. Throws a UsageError with every problem. */
export async function validInput(tool: Tool, args: Record<string, unknown>): Promise<unknown> {
  const validated = await validate(args, tool.input, tool.jsonSchema);
  if (validated.ok) return validated.value;
  throw new UsageError(`wrong arguments for ${tool.name}:\n${describeProblems(validated.problems)}`);
}
