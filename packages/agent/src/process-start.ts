import { execFileSync } from "node:child_process";
import { readFileSync } from "node:fs";

/**
 * When a process began, as a text that no other process of the same number will have; undefined where none runs
 * (one that has ended and was not yet waited for does not run). Where the system doesn't tell, an empty text.
 */
export function processStart(pid: number): string | undefined {
  if (!isAlive(pid)) return undefined;
  if (process.platform === "win32") return "";
  try {
    return process.platform === "linux" ? startOnLinux(pid) : startByPs(pid);
  } catch {
    return isAlive(pid) ? "" : undefined;
  }
}

/** proc_pid_stat(5): after the name in brackets come the state (field 3) and, as field 22, the start in clock ticks. */
function startOnLinux(pid: number): string | undefined {
  const stat = readFileSync(`/proc/${pid}/stat`, "latin1");
  const fields = stat.slice(stat.lastIndexOf(")") + 2).split(" ");
  return fields[0] === "Z" || fields[0] === "X" ? undefined : fields[19];
}

function startByPs(pid: number): string | undefined {
  const env = { ...process.env, LC_ALL: "C" };
  const line = execFileSync("ps", ["-o", "stat=,lstart=", "-p", String(pid)], {
    encoding: "utf8",
    env,
  }).trim();
  return line.startsWith("Z") ? undefined : line.replace(/^\S+\s+/, "");
}

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === "EPERM";
  }
}
