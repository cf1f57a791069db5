import { spawn } from "node:child_process";
import { once } from "node:events";
import path from "node:path";
import { text } from "node:stream/consumers";
import type { TempWorkspace } from "@toycoder/testing";
import { BIN } from "./run-toycoder.ts";

/** Runs a script of the documentation with bash in a folder; `toycoder` in it is the built command. */
export async function runScript(
  script: string,
  folder: TempWorkspace,
): Promise<{ code: number | null; stdout: string; stderr: string }> {
  const toycoder = `toycoder() { ${JSON.stringify(process.execPath)} ${JSON.stringify(BIN)} "$@"; }\n`;
  const child = spawn("bash", ["-c", `set -o pipefail\n${toycoder}${script}`], {
    cwd: folder.root,
    env: {
      PATH: `${path.dirname(process.execPath)}:${process.env["PATH"]}`,
      HOME: folder.root,
      TOYCODER_STATE_DIR: folder.path(".state"),
    },
    stdio: ["ignore", "pipe", "pipe"],
  });
  const exited = once(child, "exit") as Promise<[number | null]>;
  const [stdout, stderr, [code]] = await Promise.all([text(child.stdout), text(child.stderr), exited]);
  return { code, stdout, stderr };
}
