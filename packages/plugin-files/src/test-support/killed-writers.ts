import { spawn } from "node:child_process";
import { readdirSync, readFileSync, writeFileSync } from "node:fs";
import path from "node:path";
import { setTimeout } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import { removeLeftovers } from "../atomic-write.ts";

/** 2 MB of one letter: a mixture of two would be seen. */
const SIZE = 2_000_000;

const SCRIPT = `
import { atomicWrite } from ${JSON.stringify(fileURLToPath(new URL("../atomic-write.ts", import.meta.url)))};
import { statSync } from "node:fs";
const target = process.argv[2];
process.stdout.write("ready");
for (let n = 0; ; n++) {
  const bytes = Buffer.alloc(${SIZE}, 97 + (n % 26));
  await atomicWrite({ target, bytes, replaces: statSync(target, { bigint: true }) });
}
`;

/**
 * Kills processes in the middle of writing one file, at moments that differ. Counts how often the file was not
 * whole, and the temporary files that are there after the clean-up that a next write does.
 */
export async function killedWriters(options: {
  root: string;
  rounds: number;
}): Promise<{ torn: number; leftovers: number }> {
  const { root, rounds } = options;
  const script = path.join(root, "writer.ts");
  const target = path.join(root, "target");
  let torn = 0;
  let leftovers = 0;
  writeFileSync(script, SCRIPT);
  writeFileSync(target, Buffer.alloc(SIZE, "a"));
  for (let round = 0; round < rounds; round++) {
    const child = spawn(process.execPath, ["--conditions=@toycoder/source", script, target], {
      stdio: ["ignore", "pipe", "inherit"],
    });
    const closed = new Promise((resolve) => child.once("close", resolve));
    await new Promise((resolve) => child.stdout.once("data", resolve));
    await setTimeout((round * 7) % 23);
    child.kill("SIGKILL");
    await closed;
    const bytes = readFileSync(target);
    if (bytes.length !== SIZE || !bytes.equals(Buffer.alloc(SIZE, bytes[0]))) torn++;
    await removeLeftovers(root);
    leftovers += readdirSync(root).filter((name) => name.endsWith(".tmp")).length;
  }
  return { torn, leftovers };
}
