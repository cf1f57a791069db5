import { ToolError } from "@toycoder/core";

/** Where ripgrep's program is: `configured`, else the one that npm installed. Throws a ToolError `ripgrep_missing`. */
export async function ripgrepPath(configured: string | undefined): Promise<string> {
  if (configured !== undefined) return configured;
  try {
    const { rgPath } = await import("@vscode/ripgrep");
    return rgPath;
  } catch (error) {
    throw ripgrepMissing(`no ripgrep is installed for ${process.platform}-${process.arch}`, error);
  }
}

export const ripgrepMissing = (message: string, cause: unknown): ToolError =>
  new ToolError("ripgrep_missing", message, {
    cause,
    hint: "install the project again with optional dependencies, or set the search plugin's option ripgrepPath",
  });
