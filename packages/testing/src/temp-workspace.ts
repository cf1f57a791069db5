import { mkdirSync, mkdtempSync, readFileSync, realpathSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";

/** A folder of its own for one test, by its real path; gone after `using` or `dispose`. */
export interface TempWorkspace extends Disposable {
  readonly root: string;
  /** The absolute path of a file in it. */
  path(relative: string): string;
  /** A file's text. */
  read(relative: string): string;
  /** Writes a file, its folders included; gives its absolute path. */
  write(relative: string, content: string | Uint8Array): string;
  dispose(): void;
}

/** Makes a temporary folder with these files (path → content). */
export function tempWorkspace(files: Readonly<Record<string, string | Uint8Array>> = {}): TempWorkspace {
  const root = realpathSync.native(mkdtempSync(path.join(tmpdir(), "toycoder-test-")));
  const dispose = (): void => rmSync(root, { recursive: true, force: true, maxRetries: 3 });
  const workspace: TempWorkspace = {
    root,
    path: (relative) => path.join(root, relative),
    read: (relative) => readFileSync(path.join(root, relative), "utf8"),
    write(relative, content) {
      const file = path.join(root, relative);
      mkdirSync(path.dirname(file), { recursive: true });
      writeFileSync(file, content);
      return file;
    },
    dispose,
    [Symbol.dispose]: dispose,
  };
  for (const [relative, content] of Object.entries(files)) workspace.write(relative, content);
  return workspace;
}
