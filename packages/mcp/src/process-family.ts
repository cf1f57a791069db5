import { readdirSync, readFileSync } from "node:fs";
import { setTimeout as delay } from "node:timers/promises";

/** The variable that marks a server's process and its descendants, also those that leave its group. */
export const SERVER_VARIABLE = "TOYCODER_SERVER";

/** A process group, and beside it every process with `mark` in its environment. */
export interface ProcessFamily {
  /** The group's leader: its process id is the group's. */
  leader: number;
  mark: string;
}

/** Sends a signal to the group and to descendants that have left it. */
export function signalFamily(family: ProcessFamily, signal: NodeJS.Signals): void {
  send(groupName(family), signal);
  for (const pid of strays(family)) send(pid, signal);
}

/** Ends what is left of a family: TERM, and KILL for what is still there after `graceMs`. */
export async function endFamily(family: ProcessFamily, graceMs: number): Promise<void> {
  signalFamily(family, "SIGTERM");
  if (await isGone(family, graceMs)) return;
  // A fork may slip through between the look and the signal: again, until nothing is found.
  for (let round = 0; round < 20; round++) {
    signalFamily(family, "SIGKILL");
    if (await isGone(family, 50)) return;
  }
}

async function isGone(family: ProcessFamily, withinMs: number): Promise<boolean> {
  const until = performance.now() + withinMs;
  for (let pause = 1; ; pause = Math.min(pause * 2, 20)) {
    if (!isGroupAlive(family) && strays(family).length === 0) return true;
    if (performance.now() >= until) return false;
    await delay(pause);
  }
}

/** Windows has no groups. */
const groupName = ({ leader }: ProcessFamily): number => (process.platform === "win32" ? leader : -leader);

function isGroupAlive(family: ProcessFamily): boolean {
  if (!send(groupName(family), 0)) return false;
  if (process.platform !== "linux") return true;
  // A group of zombies answers too, and nobody may ever collect them.
  return processes().some((pid) => groupOf(pid) === family.leader);
}

/** Only Linux lets them be found. */
function strays({ leader, mark }: ProcessFamily): number[] {
  if (process.platform !== "linux") return [];
  return processes().filter((pid) => {
    if (readProc(`${pid}/environ`)?.includes(mark) !== true) return false;
    const group = groupOf(pid);
    return group !== undefined && group !== leader;
  });
}

function send(pid: number, signal: NodeJS.Signals | 0): boolean {
  try {
    return process.kill(pid, signal);
  } catch {
    return false;
  }
}

function processes(): number[] {
  try {
    return readdirSync("/proc")
      .map(Number)
      .filter((pid) => pid > 1);
  } catch {
    return [];
  }
}

/** Undefined for a process that is gone or a zombie. */
function groupOf(pid: number): number | undefined {
  // "pid (name) state parent group …": the name may hold anything.
  const [state, , group] = (readProc(`${pid}/stat`) ?? "").replace(/^.*\) /s, "").split(" ");
  return group === undefined || state === "Z" || state === "X" ? undefined : Number(group);
}

function readProc(file: string): string | undefined {
  try {
    return readFileSync(`/proc/${file}`, "latin1");
  } catch {
    return undefined;
  }
}
