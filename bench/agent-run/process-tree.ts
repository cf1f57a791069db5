import { readFileSync } from "node:fs";

const PAGE = 4096;

function read(file: string): string {
  try {
    return readFileSync(`/proc/${file}`, "latin1");
  } catch {
    return "";
  }
}

/**
 * Bytes of memory that a process and all beneath it hold now. Pages that two of them share count twice. The most that
 * the process itself has ever held is counted, where that is more: it was there between two looks.
 */
export function memoryOf(pid: number): number {
  const most = Number(/^VmHWM:\s+(\d+) kB/m.exec(read(`${pid}/status`))?.[1] ?? 0) * 1024;
  return Math.max(most, resident(pid, ""));
}

function resident(pid: number, parentCommand: string): number {
  const command = read(`${pid}/cmdline`);
  // A child that hasn't yet become another program shows its parent's memory as its own.
  if (command === parentCommand) return 0;
  const own = Number(read(`${pid}/statm`).split(" ")[1] ?? 0) * PAGE;
  const children = read(`${pid}/task/${pid}/children`).split(" ").filter(Boolean).map(Number);
  return children.reduce((sum, child) => sum + resident(child, command), own);
}

/** User and system time, in ms, of all children of this process that have ended, and of theirs. */
export function cpuOfEnded(): number {
  const stat = read("self/stat");
  const fields = stat.slice(stat.lastIndexOf(")") + 2).split(" ");
  // proc_pid_stat(5): cutime and cstime are fields 16 and 17, in ticks of 10 ms; the slice starts with field 3.
  return (Number(fields[13]) + Number(fields[14])) * 10;
}
