import { readFileSync } from "node:fs";
import type { Rolldown } from "tsdown";

const RESOURCE = /[\\/]node_modules[\\/]openai[\\/]resources[\\/]([\w-]+)(?:[\\/].*)?\.mjs$/;
/** What a request of ours needs, by the first folder or file beneath `resources`. */
const NEEDED: ReadonlySet<string> = new Set(["index", "shared", "chat", "responses"]);

/**
 * OpenAI's SDK without the resources that nobody here asks for (images, audio, fine-tuning, …): half of what a run
 * would load of it, since its client makes one of each. In their places stand empty classes of the same names.
 */
export const leanOpenai: Rolldown.Plugin = {
  name: "lean-openai",
  load(id) {
    const [, resource] = RESOURCE.exec(id) ?? [];
    if (resource === undefined || NEEDED.has(resource)) return null;
    const names = exportsOf(readFileSync(id, "utf8"));
    return [...names].map((name) => `export class ${name} {}`).join("\n");
  },
};

function exportsOf(source: string): ReadonlySet<string> {
  const declared = [...source.matchAll(/^export class (\w+)/gm)].map(([, name = ""]) => name);
  const listed = [...source.matchAll(/^export \{([^}]*)\}/gm)]
    .flatMap(([, list = ""]) => list.split(","))
    .map((item) => item.trim().split(" as ").at(-1) ?? "");
  return new Set([...declared, ...listed].filter((name) => name !== ""));
}
