import { rangeOf } from "./dependency.ts";
import type { Tool } from "./tool.ts";

/**
 * What is wrong with a dependency. `found` is the version that is there. A `cycle` names the tools that need each
 * other, the first one again at its end; it does not keep a tool from running.
 */
export type DependencyProblem =
  | { kind: "missing"; tool: string; range: string; neededBy: string }
  | { kind: "version"; tool: string; range: string; neededBy: string; found: string }
  | { kind: "cycle"; tool: string; range: string; neededBy: string; cycle: readonly string[] };

/** How dependencies are looked up: the best version in a range, and whatever version there is. */
export interface ToolLookup {
  get(name: string, range?: string): Tool | undefined;
  versions(name: string): readonly string[];
}

/** The problems of a tool's dependencies and of theirs, each reported once. */
export function checkDependencies(tool: Tool, lookup: ToolLookup): DependencyProblem[] {
  const problems: DependencyProblem[] = [];
  const done = new Set<Tool>();
  const visit = (current: Tool, path: readonly string[]): void => {
    done.add(current);
    for (const [name, dependency] of Object.entries(current.dependencies)) {
      const range = rangeOf(dependency);
      const about = { tool: name, range, neededBy: current.name };
      const needed = lookup.get(name, range);
      const start = path.indexOf(name);
      if (needed !== undefined && start !== -1) {
        problems.push({ ...about, kind: "cycle", cycle: [...path.slice(start), name] });
      }
      if (needed !== undefined) {
        if (!done.has(needed)) visit(needed, [...path, name]);
        continue;
      }
      const found = lookup.get(name)?.version ?? lookup.versions(name).at(-1);
      if (found !== undefined) problems.push({ ...about, kind: "version", found });
      else if (typeof dependency === "string" || dependency.optional !== true) {
        problems.push({ ...about, kind: "missing" });
      }
    }
  };
  visit(tool, [tool.name]);
  return problems;
}

/** The problem in words: `report needs query_database ^1; there is 2.0.0`. */
export function describeDependency(problem: DependencyProblem): string {
  const { neededBy, tool, range } = problem;
  switch (problem.kind) {
    case "missing":
      return `${neededBy} needs the tool ${tool} (${range}), which is not there`;
    case "version":
      return `${neededBy} needs ${tool} ${range}; there is ${problem.found}`;
    default:
      return `these tools need each other: ${problem.cycle.join(" → ")}`;
  }
}
