import { SetupError, type ToolRegistry } from "@toycoder/core";

/** Pins the best version in each range. Throws a SetupError where there is no such tool or version. */
export function pinVersions(registry: ToolRegistry, versions: Readonly<Record<string, string>>): void {
  for (const [name, range] of Object.entries(versions)) {
    registry.require(name);
    const tool = registry.get(name, range);
    if (tool === undefined) {
      throw new SetupError(
        "unknown_tool",
        `tools.versions: there is no version ${range} of the tool ${name}`,
        {
          hint: `versions are ${registry.versions(name).join(", ")}`,
        },
      );
    }
    registry.activate(name, tool.version);
  }
}

/** Throws a SetupError where an alias is of no tool, or would be the name of two. */
export function checkAliases(registry: ToolRegistry, aliases: Readonly<Record<string, string>>): void {
  const taken = new Map<string, string>();
  for (const [name, alias] of Object.entries(aliases)) {
    registry.require(name);
    const other = taken.get(alias) ?? (registry.has(alias) ? alias : undefined);
    if (other !== undefined) {
      throw new SetupError("alias_taken", `tools.alias: ${name} cannot be offered as ${alias}`, {
        hint: other === alias ? "there is a tool of that name" : `${other} is offered so already`,
      });
    }
    taken.set(alias, name);
  }
}
