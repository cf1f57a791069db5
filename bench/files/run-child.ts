import { execFile, spawn } from "node:child_process";
import { readFileSync } from "node:fs";
import process from "node:process";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";

export interface Measured {
  ms: number[];
  /** MB before the work, and at most. */
  idle: number;
  peak: number;
}

/** A tool's call in a process of its own. */
export async function runTool(kind: "read" | "edit", file: string, offset: number): Promise<Measured> {
  const child = fileURLToPath(new URL("child.ts", import.meta.url));
  const args = ["--conditions=@toycoder/source", child, kind, file, String(offset)];
  const { stdout } = await promisify(execFile)(process.execPath, args);
  return JSON.parse(stdout) as Measured;
}

/** A program: its time, and its memory as far as a look each millisecond sees it (Linux alone; else 0). */
export async function runProgram(program: string, args: readonly string[]): Promise<Measured> {
  const started = performance.now();
  const child = spawn(program, args, { stdio: ["ignore", "ignore", "inherit"] });
  let peak = 0;
  const watch = setInterval(() => {
    peak = Math.max(peak, peakOf(child.pid ?? 0));
  }, 1);
  await new Promise((resolve) => child.once("close", resolve));
  clearInterval(watch);
  return { ms: [performance.now() - started], idle: 0, peak };
}

function peakOf(pid: number): number {
  try {
    return Number(/^VmHWM:\s+(\d+) kB/m.exec(readFileSync(`/proc/${pid}/status`, "utf8"))?.[1] ?? 0) / 1024;
  } catch {
    return 0;
  }
}
