import { ToolError } from "@toycoder/core";

const KNOWN: Readonly<Record<string, readonly [code: string, words: string, hint?: string]>> = {
  ENOENT: ["not_found", "there is no such file"],
  ENOTDIR: ["not_a_directory", "a part of the path is a file, not a folder"],
  EISDIR: ["is_directory", "it is a folder"],
  EACCES: ["not_permitted", "the system permits no access"],
  EPERM: ["not_permitted", "the system permits no access"],
  EROFS: ["not_permitted", "the file system is read-only"],
  ENOSPC: ["disk_full", "no space is left on the disk; the old content is still there"],
  EDQUOT: ["disk_full", "the disk quota is used up; the old content is still there"],
  EFBIG: ["too_large", "it is larger than the file system takes"],
  ENAMETOOLONG: ["invalid_path", "the name is too long"],
  ELOOP: ["changed_path", "the path has become a symbolic link since the call was judged", "call again"],
};

/** The ToolError for an error of the file system; others are given back as they are. `display` names the file. */
export function fileError(error: unknown, display: string): unknown {
  const code = error instanceof Error ? (error as NodeJS.ErrnoException).code : undefined;
  if (code === undefined || !/^E[A-Z0-9]+$/.test(code)) return error;
  const [toolCode, words, hint] = KNOWN[code] ?? ["io_error", `the system answers ${code}`];
  return new ToolError(toolCode, `${display}: ${words}`, {
    cause: error,
    ...(hint !== undefined && { hint }),
  });
}
