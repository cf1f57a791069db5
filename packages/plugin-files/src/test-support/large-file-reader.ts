// Run as a program: `large-file-reader.ts FOLDER FILE OFFSET`. Reads two pages and tells what that took.
import process from "node:process";
import { textOf } from "@toycoder/core";
import { toolBench } from "@toycoder/testing";
import { readFile } from "../read-file.ts";

const [root = "", file = "", offset = "1"] = process.argv.slice(2);
const { call } = toolBench([readFile], { root });

async function read(path: string, from: number): Promise<{ page: string; ms: number }> {
  const started = performance.now();
  const { content } = await call("read_file", { path, offset: from });
  return { page: textOf(content), ms: performance.now() - started };
}

await read("small", 1);
const idle = process.resourceUsage().maxRSS;
const first = await read(file, Number(offset));
const second = await read(file, Number(offset) - 500);
const megabytes = (process.resourceUsage().maxRSS - idle) / 1024;
process.stdout.write(JSON.stringify({ page: first.page, megabytes, first: first.ms, second: second.ms }));
