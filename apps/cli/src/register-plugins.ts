import type { ResolvedConfig, SetUpPlugin } from "@toycoder/config";
import { SetupError, type Tool, type ToolRegistry } from "@toycoder/core";

type Choice = Pick<ResolvedConfig["tools"], "alias" | "versions">;

/** The aliases that rename a tool for the model alone: those without a plugin's name in front. */
export const toolAliases = (alias: Choice["alias"]): Readonly<Record<string, string>> =>
  Object.fromEntries(Object.entries(alias).filter(([name]) => !name.includes("/")));

/**
 * Registers the tools of all plugins. An alias of the form `PLUGIN/TOOL` gives a tool another name for everything:
 * rules, the model, the command line. Throws a SetupError where two plugins bring a tool of one name, unless
 * `tools.versions` chooses between them, and where an alias is of nothing (unless a plugin was left out).
 */
export function registerPlugins(
  registry: ToolRegistry,
  plugins: readonly SetUpPlugin[],
  choice: Choice,
  someLeftOut = false,
): void {
  const open = new Map(Object.entries(choice.alias).filter(([name]) => name.includes("/")));
  for (const { plugin, parts } of plugins) {
    const tools = parts.tools.map((tool) => {
      const key = `${plugin.name}/${tool.name}`;
      const alias = open.get(key);
      open.delete(key);
      return alias === undefined ? tool : renamed(tool, alias);
    });
    for (const { name } of tools) {
      const other = registry.origin(name).plugin;
      if (other === undefined || other === plugin.name || Object.hasOwn(choice.versions, name)) continue;
      throw new SetupError(
        "duplicate_tool",
        `the plugins ${other} and ${plugin.name} both bring a tool ${name}`,
        {
          hint: `give one of them another name in the config: tools: { alias: { "${plugin.name}/${name}": "${plugin.name.replaceAll("-", "_")}_${name}" } }; or leave one of the plugins out`,
        },
      );
    }
    registry.registerMany(tools, { plugin: plugin.name });
  }
  const [unknown] = open.keys();
  if (unknown !== undefined && !someLeftOut) {
    const all = plugins.flatMap(({ plugin, parts }) =>
      parts.tools.map(({ name }) => `${plugin.name}/${name}`),
    );
    throw new SetupError("unknown_tool", `tools.alias: there is no tool ${unknown}`, {
      hint: `it is written PLUGIN/TOOL; there are ${all.join(", ")}`,
    });
  }
}

/** The same tool under another name; what is worked out when it is first read stays so. */
const renamed = (tool: Tool, name: string): Tool =>
  Object.freeze(Object.create(tool, { name: { value: name, enumerable: true } }) as Tool);
