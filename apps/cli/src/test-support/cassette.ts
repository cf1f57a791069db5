import { recordModel } from "@toycoder/provider-replay";
import { scriptedModel, type ScriptedTurn } from "@toycoder/testing";

/** The tools of the built-in plugins that start enabled. */
export const SAFE_TOOLS: readonly string[] = [
  "ask_user",
  "edit_file",
  "glob_search",
  "grep_search",
  "list_dir",
  "read_file",
  "write_file",
];

/** Those tools and run_command. */
export const ALL_TOOLS: readonly string[] = [...SAFE_TOOLS, "run_command"].toSorted();

/** A cassette's text: these answers, with these tools offered. The outcomes of calls are left open. */
export async function cassette(
  turns: readonly ScriptedTurn[],
  tools: readonly string[] = SAFE_TOOLS,
): Promise<string> {
  const lines: string[] = [];
  const model = recordModel(scriptedModel(turns), (line) => void lines.push(line));
  const { signal } = new AbortController();
  const offered = tools.map((name) => ({ name })) as unknown as Parameters<typeof model.stream>[0]["tools"];
  for (const _ of turns) {
    for await (const event of model.stream({ instructions: "", messages: [], tools: offered }, { signal }))
      void event;
  }
  return lines.join("\n");
}
