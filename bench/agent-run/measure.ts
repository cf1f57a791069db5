import { spawn } from "node:child_process";
import { once } from "node:events";
import process from "node:process";
import { text } from "node:stream/consumers";
import { cpuOfEnded, memoryOf } from "./process-tree.ts";

const LOOK_EVERY_MS = 10;

export interface Measured {
  /** In ms of the machine's clock, as in every process on it. */
  started: number;
  ended: number;
  /** User and system time of the whole tree, in ms. */
  cpuMs: number;
  /** Most memory of the whole tree, in bytes. */
  memory: number;
}

/** Runs `node ARGS` to its end and measures it, with what it starts. Another exit code than 0 is an error. */
export async function measure(
  args: readonly string[],
  cwd: string,
  env: Readonly<Record<string, string>>,
): Promise<Measured> {
  if (process.platform !== "linux") throw new Error("this measurement needs Linux: it reads /proc");
  const cpu = cpuOfEnded();
  const started = Number(process.hrtime.bigint()) / 1e6;
  const child = spawn(process.execPath, args, { cwd, env, stdio: ["ignore", "pipe", "pipe"] });
  const [stdout, stderr] = [text(child.stdout), text(child.stderr)];
  let memory = 0;
  const look = setInterval(() => {
    memory = Math.max(memory, memoryOf(child.pid ?? 0));
  }, LOOK_EVERY_MS);
  const [code] = (await once(child, "exit")) as [number | null];
  const ended = Number(process.hrtime.bigint()) / 1e6;
  clearInterval(look);
  if (code !== 0) {
    throw new Error(`${args.join(" ")} ended with ${code}:\n${await stderr}\n${(await stdout).slice(-2000)}`);
  }
  return { started, ended, cpuMs: cpuOfEnded() - cpu, memory };
}
