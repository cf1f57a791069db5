import type { Policy, ToolRegistry } from "@toycoder/core";
import type { McpServers } from "@toycoder/mcp";

/** The names of tools that a config may use: those that are there, and those of servers that are not up. */
export interface KnownNames {
  /** Throws a SetupError for a name that is surely of no tool. */
  require(name: string): void;
  /** Whether the tool is there. Throws like `require`. */
  isThere(name: string): boolean;
  /** Of the rules' own names, those that may be. */
  ofRules(policy: Policy): string[];
  /** Without what is of tools that are not there. */
  present<T>(byName: Readonly<Record<string, T>>): Record<string, T>;
}

/** `leftOut` holds the plugins that were left out: while there are some, any name may be one of theirs. */
export function knownNames(
  registry: ToolRegistry,
  servers: McpServers | undefined,
  leftOut: readonly unknown[] = [],
): KnownNames {
  const mayBring = (name: string): boolean => leftOut.length > 0 || servers?.mayBring(name) === true;
  const isThere = (name: string): boolean => {
    if (registry.has(name)) return true;
    if (mayBring(name)) return false;
    registry.require(name);
    return true;
  };
  return {
    isThere,
    require: (name) => void isThere(name),
    ofRules: (policy) => {
      const literals = [...policy.allow, ...policy.ask, ...policy.deny].flatMap((rule) =>
        rule.kind === "tool" || rule.kind === "call" ? (rule.name.literal ?? []) : [],
      );
      const there = registry.snapshot().map((tool) => tool.name);
      return [...there, ...literals.filter(mayBring)];
    },
    present: (byName) => Object.fromEntries(Object.entries(byName).filter(([name]) => isThere(name))),
  };
}
