import { spawn } from "node:child_process";
import { SetupError } from "@toycoder/core";
import type { Io } from "../io.ts";

const ADD: Readonly<Record<string, readonly string[]>> = {
  npm: ["install", "--save-dev"],
  pnpm: ["add", "--save-dev"],
  yarn: ["add", "--dev"],
  bun: ["add", "--dev"],
};

/** The words that install a package as a development dependency. */
export const installCommand = (manager: string, name: string): string[] => [
  manager,
  ...(ADD[manager] ?? ADD["npm"] ?? []),
  name,
];

/** Runs the package manager, what it says on stderr. Throws a SetupError `plugin_failed` where it fails. */
export async function installPackage(manager: string, name: string, folder: string, io: Io): Promise<void> {
  const [program = manager, ...args] = installCommand(manager, name);
  const line = [program, ...args].join(" ");
  io.stderr.write(`${line}\n`);
  const child = spawn(program, args, {
    cwd: folder,
    env: io.env,
    stdio: ["ignore", "pipe", "pipe"],
    shell: process.platform === "win32",
    signal: io.signal,
  });
  child.stdout.pipe(io.stderr, { end: false });
  child.stderr.pipe(io.stderr, { end: false });
  const code = await new Promise<number | null>((resolve, reject) => {
    child.on("error", reject);
    child.on("close", resolve);
  }).catch((error: unknown) => {
    if (io.signal.aborted) throw io.signal.reason;
    throw new SetupError("plugin_failed", `${program} cannot be started`, {
      cause: error,
      hint: `install it, or install the plugin yourself: ${line}`,
    });
  });
  if (code !== 0)
    throw new SetupError("plugin_failed", `${line} failed${code === null ? "" : ` with exit code ${code}`}`, {
      hint: "what it said is above; the config was not changed",
    });
}
