import { execFile, spawn } from "node:child_process";
import { lstatSync } from "node:fs";
import path from "node:path";
import { promisify } from "node:util";
import { rgPath } from "@vscode/ripgrep";

/** The same files as the tools look at. */
const SCOPE = ["--no-config", "--no-require-git", "--glob", "!.git", "--glob", "!node_modules"];
const MAX_OUTPUT = 1 << 30;

/** ripgrep with line numbers, as at a prompt, its output read and dropped. */
export async function ripgrep(root: string, args: readonly string[]): Promise<void> {
  const child = spawn(rgPath, [...SCOPE, "--hidden", "--line-number", ...args, "./"], {
    cwd: root,
    stdio: ["ignore", "pipe", "inherit"],
  });
  child.stdout.resume();
  await new Promise((resolve) => child.once("close", resolve));
}

/** What a listing sorted by time costs with the same program: all names, those that fit, their times, the newest. */
export async function listByTime(root: string, fits: RegExp): Promise<string[]> {
  const { stdout } = await promisify(execFile)(rgPath, [...SCOPE, "--files", "./"], {
    cwd: root,
    maxBuffer: MAX_OUTPUT,
  });
  const files = stdout.split("\n").filter((file) => fits.test(file));
  const timed = files.map((file) => ({ file, time: lstatSync(path.join(root, file)).mtimeMs }));
  return timed.sort((a, b) => b.time - a.time).map(({ file }) => file);
}

/** `rg --files --sortr modified`: ripgrep's own listing by time. */
export async function ripgrepByTime(root: string, glob: string): Promise<void> {
  await ripgrepFiles(root, ["--sortr", "modified", "--glob", glob]);
}

async function ripgrepFiles(root: string, args: readonly string[]): Promise<void> {
  const child = spawn(rgPath, [...SCOPE, "--files", ...args, "./"], {
    cwd: root,
    stdio: ["ignore", "pipe", "inherit"],
  });
  child.stdout.resume();
  await new Promise((resolve) => child.once("close", resolve));
}
