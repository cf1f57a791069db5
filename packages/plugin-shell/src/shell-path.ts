import { existsSync } from "node:fs";
import path from "node:path";

const USUAL = ["/bin/bash", "/usr/bin/bash", "/usr/local/bin/bash", "/opt/homebrew/bin/bash"];

/** The shell that reads commands: bash where there is one, else sh. */
export function findShell(searchPath: string | undefined): string {
  const others = (searchPath ?? "").split(path.delimiter).filter((folder) => path.isAbsolute(folder));
  const found = [...USUAL, ...others.map((folder) => path.join(folder, "bash"))].find((file) =>
    existsSync(file),
  );
  return found ?? "/bin/sh";
}
