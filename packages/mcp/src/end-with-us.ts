import { type ProcessFamily, signalFamily } from "./process-family.ts";

const running = new Set<ProcessFamily>();

const killAll = (): void => {
  for (const family of running) signalFamily(family, "SIGKILL");
};

/** Kills a family when this process exits before it; the function given back ends that. */
export function endWithUs(family: ProcessFamily): () => void {
  if (running.size === 0) process.on("exit", killAll);
  running.add(family);
  return () => {
    running.delete(family);
    if (running.size === 0) process.off("exit", killAll);
  };
}
