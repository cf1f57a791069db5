import { spawn } from "node:child_process";
import { readdirSync, readFileSync, writeFileSync } from "node:fs";
import path from "node:path";
import { setTimeout } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import { toolBench } from "@toycoder/testing";
import { writeFile } from "../write-file.ts";

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
 * Kills processes in the middle of writing one file, at random moments. Counts how often the file was not
 * whole, how often a kill left a temporary file, and the temporary files that are there after the next session has
 * written to the folder.
 */
export async function killedWriters(options: {
  root: string;
  rounds: number;
}): Promise<{ torn: number; interrupted: number; leftovers: number }> {
  const { root, rounds } = options;
  const script = path.join(root, "writer.ts");
  const target = path.join(root, "target");
  let torn = 0;
  let interrupted = 0;
  let leftovers = 0;
  const temporary = (): number => readdirSync(root).filter((name) => name.endsWith(".tmp")).length;
  writeFileSync(script, SCRIPT);
  writeFileSync(target, Buffer.alloc(SIZE, "a"));
  for (let round = 0; round < rounds; round++) {
    const child = spawn(process.execPath, ["--conditions=@toycoder/source", script, target], {
      stdio: ["ignore", "pipe", "inherit"],
    });
    const closed = new Promise((resolve) => child.once("close", resolve));
    await new Promise((resolve) => child.stdout.once("data", resolve));
    await setTimeout(Math.random() * 23);
    child.kill("SIGKILL");
    await closed;
    const bytes = readFileSync(target);
    if (bytes.length !== SIZE || !bytes.equals(Buffer.alloc(SIZE, bytes[0]))) torn++;
    if (temporary() > 0) interrupted++;
    await toolBench([writeFile], { root }).call("write_file", { path: "next", content: String(round) });
    leftovers += temporary();
  }
  return { torn, interrupted, leftovers };
}
