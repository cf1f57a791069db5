import { type ToolContext, ToolError } from "@toycoder/core";

/** Has `write_file` write it, under the rules for that; gives its notes. Throws its failure with its code. */
export async function writeReport(path: string, content: string, ctx: ToolContext): Promise<string[]> {
  const result = await ctx.dispatch("write_file", { path, content });
  if (result.ok) return result.notes;
  const { code, message, hint } = result.error;
  if (code === "unknown_tool")
    throw new ToolError(
      "dependency_missing",
      "to write a file it needs the tool write_file, which is not there",
      {
        hint: "leave path out: the report is the result then",
      },
    );
  throw new ToolError(
    code,
    `the report was made, but write_file did not write it: ${message}`,
    hint === undefined ? {} : { hint },
  );
}
