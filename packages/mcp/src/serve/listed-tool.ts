import type { Tool as ListedTool } from "@modelcontextprotocol/sdk/types.js";
import type { JsonSchema, Tool, ToolOrigin } from "@toycoder/core";
import { isRecord } from "@toycoder/core/wire";
import { toolAnnotations } from "./tool-annotations.ts";

/** An entry of `tools/list`. Throws a SetupError where the input cannot be described. */
export function listedTool(tool: Tool, name: string, origin: ToolOrigin): ListedTool {
  const output = outputSchema(tool);
  return {
    name,
    description: tool.description,
    inputSchema: objectSchema(tool.jsonSchema),
    ...(output !== undefined && { outputSchema: objectSchema(output) }),
    annotations: toolAnnotations(tool, origin),
  };
}

/** The protocol wants an object at the root, and a schema that is true or false spelt out for each property. */
function objectSchema({ properties, ...schema }: JsonSchema): ListedTool["inputSchema"] {
  const spelt = Object.entries(properties ?? {}).map(([key, value]): [string, object] => [
    key,
    typeof value === "boolean" ? (value ? {} : { not: {} }) : value,
  ]);
  return { ...schema, type: "object", ...(properties && { properties: Object.fromEntries(spelt) }) };
}

/** The JSON Schema of a tool's output, where it has one and that is of an object: the protocol takes no other. */
export function outputSchema({ output }: Tool): JsonSchema | undefined {
  const standard: unknown = output?.["~standard"];
  const converter = isRecord(standard) && isRecord(standard.jsonSchema) ? standard.jsonSchema : {};
  if (typeof converter.output !== "function") return undefined;
  try {
    const made: unknown = Reflect.apply(converter.output, converter, [{ target: "draft-2020-12" }]);
    if (!isRecord(made) || made.type !== "object") return undefined;
    // Hosts compile it with what they have; the name of a dialect they don't know stops some.
    const { $schema: _, ...schema } = made;
    return schema;
  } catch {
    return undefined;
  }
}
