import { execFile } from "node:child_process";
import { accessSync, constants } from "node:fs";
import path from "node:path";
import { promisify } from "node:util";
import { namespaceArguments } from "./sandbox-arguments.ts";

/** The program, or why there is none to be used. */
export type Bubblewrap = { program: string; version: string } | { problem: string };

const run = promisify(execFile);
const probes = new Map<string, Promise<Bubblewrap>>();

/** Tries once, for the life of this process, whether bubblewrap is there and may make what the sandbox needs. */
export function findBubblewrap(
  network: boolean,
  searchPath: string = process.env["PATH"] ?? "",
): Promise<Bubblewrap> {
  const key = `${network} ${searchPath}`;
  const known = probes.get(key) ?? probe(network, searchPath);
  probes.set(key, known);
  return known;
}

async function probe(network: boolean, searchPath: string): Promise<Bubblewrap> {
  if (process.platform !== "linux") return { problem: `there is no sandbox on ${process.platform}` };
  const program = searchPath
    .split(path.delimiter)
    .filter((folder) => path.isAbsolute(folder))
    .map((folder) => path.join(folder, "bwrap"))
    .find(isExecutable);
  if (program === undefined) return { problem: "bubblewrap (the program bwrap) is not installed" };
  const view = ["--ro-bind", "/", "/", "--dev", "/dev", "--proc", "/proc", "--tmpfs", "/tmp"];
  try {
    const { stdout } = await run(program, ["--version"], { timeout: PROBE_MS });
    await run(program, [...namespaceArguments(network), ...view, "--", "/bin/sh", "-c", ":"], {
      timeout: PROBE_MS,
    });
    return { program, version: stdout.trim().replace(/^\S+\s+/, "") };
  } catch (error) {
    const said =
      error instanceof Error && "stderr" in error ? String(error.stderr).trim().split("\n")[0] : "";
    return { problem: `bubblewrap cannot make a sandbox here (${said || "it failed"})` };
  }
}

const PROBE_MS = 10_000;

function isExecutable(file: string): boolean {
  try {
    accessSync(file, constants.X_OK);
    return true;
  } catch {
    return false;
  }
}
