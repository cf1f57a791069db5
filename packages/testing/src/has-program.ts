import { accessSync, constants } from "node:fs";
import path from "node:path";

/** Whether a program is in PATH: a test that needs it is skipped, and counted as skipped, where it is not. */
export function hasProgram(name: string): boolean {
  return (process.env["PATH"] ?? "").split(path.delimiter).some((folder) => {
    try {
      accessSync(path.join(folder, name), constants.X_OK);
      return true;
    } catch {
      return false;
    }
  });
}
