import { spawnSync } from "node:child_process";

/** Puts an empty file system of `kilobytes` over a folder. Gives what takes it away; undefined where that isn't allowed. */
export function smallDisk(folder: string, kilobytes: number): (() => void) | undefined {
  const options = ["-t", "tmpfs", "-o", `size=${kilobytes}k`, "tmpfs", folder];
  if (spawnSync("mount", options).status !== 0) return undefined;
  return () => void spawnSync("umount", [folder]);
}
