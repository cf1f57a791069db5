// What docs/tools.md says of each tool by the tool's own word.
import { tmpdir } from "node:os";
import { registerAgentTools } from "../../packages/agent/src/index.ts";
import { ToolRegistry } from "../../packages/core/src/index.ts";
import { filesPlugin } from "../../packages/plugin-files/src/index.ts";
import { questionPlugin } from "../../packages/plugin-question/src/index.ts";
import { searchPlugin } from "../../packages/plugin-search/src/index.ts";
import { shellPlugin } from "../../packages/plugin-shell/src/index.ts";

/** The text with each part between `<!-- tool NAME -->` and `<!-- /tool -->` made anew. Throws for an unknown name. */
export async function withToolTables(text) {
  const tools = new Map((await builtinTools()).map((tool) => [tool.name, tool]));
  return text.replaceAll(/(<!-- tool (\w+) -->)[^]*?(<!-- \/tool -->)/g, (_, start, name, end) => {
    const tool = tools.get(name);
    if (tool === undefined) throw new Error(`there is no built-in tool ${name}`);
    return `${start}\n\n${describeTool(tool)}\n\n${end}`;
  });
}

/** All tools that the command brings. */
export async function builtinTools() {
  const registry = new ToolRegistry();
  registerAgentTools(registry);
  for (const plugin of [filesPlugin(), searchPlugin(), shellPlugin(), questionPlugin()]) {
    const { tools, dispose } = await plugin.setup({ root: tmpdir(), secretVariables: [] });
    registry.registerMany(tools);
    await dispose?.();
  }
  return registry.list();
}

function describeTool({ description, permission, category, jsonSchema }) {
  const rows = Object.entries(jsonSchema.properties ?? {}).map(([name, schema]) =>
    row(
      `\`${name}\``,
      typeOf(schema),
      defaultOf(schema, jsonSchema.required?.includes(name)),
      schema.description ?? "",
    ),
  );
  return [
    `Level \`${permission}\`, category \`${category}\`. The model reads: “${description.replaceAll("*", String.raw`\*`)}”`,
    "",
    row("parameter", "type", "default", "what"),
    row("---", "---", "---", "---"),
    ...rows,
  ].join("\n");
}

const row = (...cells) =>
  `| ${cells.map((cell) => cell.replaceAll("|", String.raw`\|`).replaceAll("*", String.raw`\*`)).join(" | ")} |`;

function typeOf({ type, enum: values, minimum, exclusiveMinimum, maximum, items }) {
  if (values !== undefined) return values.map((value) => `\`${value}\``).join(", ");
  if (type === "array")
    return `list of ${
      items.properties
        ? Object.keys(items.properties)
            .map((key) => `\`${key}\``)
            .join(", ")
        : `${items.type}s`
    }`;
  const bounds = [
    ...(minimum === undefined ? [] : [`from ${minimum}`]),
    ...(exclusiveMinimum === undefined ? [] : [`above ${exclusiveMinimum}`]),
    ...(maximum === undefined || maximum >= 1e9 ? [] : [`to ${maximum.toLocaleString("en")}`]),
  ];
  return [type, ...bounds].join(" ");
}

function defaultOf(schema, required = false) {
  if (required) return "required";
  return schema.default === undefined ? "" : `\`${JSON.stringify(schema.default)}\``;
}
