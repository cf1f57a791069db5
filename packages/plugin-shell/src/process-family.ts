import { readdirSync, readFileSync } from "node:fs";
import { setTimeout as delay } from "node:timers/promises";

/** A process group, and beside it every process with `id` in its environment. */
export interface ProcessFamily {
  /** The group's leader: its process id is the group's. */
  leader: number;
  id: string;
  /** The leader is the outer end of a sandbox: the others have groups of their own, and go at once when it goes. */
  enclosed?: boolean;
}

/** Sends a signal to the group and to the descendants that have left it. */
export function signalFamily(family: ProcessFamily, signal: NodeJS.Signals): void {
  // What is enclosed gets to end by itself.
  if (family.enclosed !== true || signal === "SIGKILL") send(-family.leader, signal);
  for (const pid of look(family).strays) send(pid, signal);
}

/**
 * Ends what is left of a family whose leader has exited: TERM, and KILL for what is still there after `graceMs`.
 * Resolves when none is left, or when what is left cannot be killed.
 */
export async function killFamily(family: ProcessFamily, graceMs: number): Promise<void> {
  if (await isGone(family, "SIGTERM", graceMs)) return;
  // A fork may slip through between the look and the signal: again, until nothing is found.
  for (let round = 0; round < 20; round++) if (await isGone(family, "SIGKILL", 50)) return;
}

/** Sends the signal to each member once, also to those that turn up later; resolves to false at the time limit. */
async function isGone(family: ProcessFamily, signal: NodeJS.Signals, withinMs: number): Promise<boolean> {
  const until = performance.now() + withinMs;
  const signalled = new Set<number>();
  let unclear = 0;
  for (let pause = 1; ; pause = Math.min(pause * 2, 20)) {
    const { group, strays, unknown } = look(family);
    if (!group && strays.length === 0 && (!unknown || ++unclear > MAX_UNCLEAR)) return true;
    if (performance.now() >= until) return false;
    for (const pid of group ? [-family.leader, ...strays] : strays) {
      if (!signalled.has(pid)) send(pid, signal);
      signalled.add(pid);
    }
    await delay(pause);
  }
}

/** How often a process is looked at again that is just being replaced by another program. */
const MAX_UNCLEAR = 4;

interface Look {
  /** Whether a member of the group lives. */
  group: boolean;
  /** Descendants outside of the group (setsid, daemons). Only Linux lets them be found, by their environment. */
  strays: readonly number[];
  /** Whether a process was in between two programs, where its environment cannot be read. */
  unknown: boolean;
}

function look({ leader, id }: ProcessFamily): Look {
  const group = send(-leader, 0);
  if (process.platform !== "linux") return { group, strays: [], unknown: false };
  let member = false;
  let unknown = false;
  const strays = newerProcesses(leader).filter((pid) => {
    const environment = readProc(`${pid}/environ`);
    const process =
      group || environment === "" || environment?.includes(id) === true ? readStat(pid) : undefined;
    if (process === undefined) return false;
    if (process.group === leader) member = true;
    else if (environment === "") unknown = true;
    return process.group !== leader && environment?.includes(id) === true;
  });
  // A group of zombies answers too, and nobody may ever collect them.
  return { group: group && (member || readStat(leader) !== undefined), strays, unknown };
}

function send(pid: number, signal: NodeJS.Signals | 0): boolean {
  try {
    return process.kill(pid, signal);
  } catch {
    return false;
  }
}

/** Processes that were started after `pid`, mostly without a look at each: ids are given out in order, then anew. */
function newerProcesses(pid: number): number[] {
  const last = Number(/(\d+)\s*$/.exec(readProc("loadavg") ?? "")?.[1] ?? 0);
  if (last === pid) return [];
  const all = readProcesses();
  return last > pid ? all.filter((one) => one > pid && one <= last) : all.filter((one) => one !== pid);
}

function readProcesses(): number[] {
  try {
    return readdirSync("/proc")
      .map(Number)
      .filter((pid) => pid > 0);
  } catch {
    return [];
  }
}

/** Undefined for a process that is gone, a zombie, or a thread of the kernel. */
function readStat(pid: number): { group: number } | undefined {
  // "pid (name) state parent group …": the name may hold anything.
  const [state, parent, group] = (readProc(`${pid}/stat`) ?? "").replace(/^.*\) /s, "").split(" ");
  if (group === undefined || state === "Z" || state === "X" || parent === "2") return undefined;
  return { group: Number(group) };
}

function readProc(file: string): string | undefined {
  try {
    return readFileSync(`/proc/${file}`, "latin1");
  } catch {
    return undefined;
  }
}
