import { messageOf, type PluginParts, type Tool, ToolRegistry } from "@toycoder/core";
import { type Finding, parametersOf, tellingWords } from "@toycoder/testing";
import { BUILTIN_TOOLS } from "../builtins.ts";

const MANY = 15;
const ALIKE = 0.75;

/** What is wrong with the tools of a plugin as a set. `plugin` is its name; the built-in ones may have their tools. */
export function toolsetFindings(
  { tools, providers, hooks, instructions }: PluginParts,
  plugin?: string,
): Finding[] {
  const findings: Finding[] = [];
  const add = (
    severity: Finding["severity"],
    code: string,
    place: string,
    message: string,
    fix: string,
  ): void => void findings.push({ severity, code, place, message, fix });
  if (tools.length === 0 && providers === undefined && hooks === undefined && instructions === undefined)
    add(
      "warning",
      "brings_nothing",
      "setup",
      "it brings no tools, hooks, instructions or providers",
      "return { tools: [ … ] }",
    );
  if (tools.length > MANY) {
    add(
      "warning",
      "too_many_tools",
      "tools",
      `they are ${tools.length}: with more than 15 to 20 tools a model chooses worse, and each costs tokens in every turn`,
      "join those that differ in a parameter alone, or make several plugins of it",
    );
  }
  const registry = new ToolRegistry();
  for (const tool of tools) {
    try {
      registry.register(tool);
    } catch (error) {
      add(
        "error",
        "names_alike",
        `tool ${tool.name}`,
        messageOf(error),
        "give each tool a name that differs by its words",
      );
    }
    const owner = BUILTIN_TOOLS[tool.name];
    if (owner !== undefined && owner !== plugin)
      add(
        "warning",
        "name_taken",
        `tool ${tool.name}, name`,
        `the built-in plugin ${owner} has a tool of that name: a config cannot have both`,
        `name it after what it works on: ${(plugin ?? "my").replaceAll("-", "_")}_${tool.name}`,
      );
  }
  for (const [one, other, likeness] of alikePairs(tools)) {
    const same = likeness === 1;
    add(
      same ? "error" : "warning",
      "descriptions_alike",
      `tools ${one.name} and ${other.name}`,
      `their descriptions are ${same ? "made of the same words" : "nearly the same"}: a model cannot tell which to call`,
      "say in each what the other does not do, or join them",
    );
  }
  for (const [one, other] of mixedStyles(tools))
    add(
      "warning",
      "names_differ_in_style",
      `inputs ${one} and ${other}`,
      "one is in snake_case, the other in camelCase",
      "take one style: snake_case, as the built-in tools have it",
    );
  return findings;
}

function alikePairs(tools: readonly Tool[]): [Tool, Tool, number][] {
  const words = tools.map(({ description }) => tellingWords(description));
  const pairs: [Tool, Tool, number][] = [];
  for (const [at, one] of tools.entries()) {
    for (const [offset, other] of tools.slice(at + 1).entries()) {
      const likeness = overlap(words[at] ?? new Set(), words[at + 1 + offset] ?? new Set());
      if (likeness >= ALIKE && one.name !== other.name) pairs.push([one, other, likeness]);
    }
  }
  return pairs;
}

/** How much of both sets is in both: from 0 to 1. */
function overlap(one: ReadonlySet<string>, other: ReadonlySet<string>): number {
  const all = new Set([...one, ...other]);
  const both = [...one].filter((word) => other.has(word)).length;
  return all.size === 0 ? 0 : both / all.size;
}

/** A parameter in snake_case and one in camelCase, where the tools have both. */
function mixedStyles(tools: readonly Tool[]): [string, string][] {
  const names = tools.flatMap((tool) => {
    try {
      return parametersOf(tool.jsonSchema).map(({ name, path }) => ({ name, shown: `${tool.name}.${path}` }));
    } catch {
      return [];
    }
  });
  const snake = names.find(({ name }) => /^[a-z0-9]+(?:_[a-z0-9]+)+$/.test(name));
  const camel = names.find(({ name }) => /^[a-z0-9]+(?:[A-Z][a-z0-9]*)+$/.test(name));
  return snake === undefined || camel === undefined ? [] : [[snake.shown, camel.shown]];
}
