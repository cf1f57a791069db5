import { execFileSync } from "node:child_process";
import { closeSync, openSync, writeSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { tempWorkspace } from "@toycoder/testing";
import { expect, test } from "vitest";

const GB = 1024 ** 3;
const READER = fileURLToPath(new URL("test-support/large-file-reader.ts", import.meta.url));

interface Report {
  page: string;
  megabytes: number;
  first: number;
  second: number;
}

test("a page near the end of a 1 GB file: at most 60 MB above idle, and the next page at once", () => {
  using workspace = tempWorkspace({ small: "x\n" });
  const lines = makeFile(workspace.path("large"));
  const args = ["--conditions=@toycoder/source", READER, workspace.root, "large", String(lines - 9)];
  const out = execFileSync(process.execPath, args, { encoding: "utf8" });
  const { page, megabytes, first, second } = JSON.parse(out) as Report;
  expect(page).toContain(`lines ${lines - 9}-${lines} of ${lines}`);
  expect(megabytes).toBeLessThan(60);
  expect(second).toBeLessThan(first / 10);
});

function makeFile(file: string): number {
  const block = "some words to make a line as long as one of code\n".repeat(20_000);
  const descriptor = openSync(file, "w");
  let lines = 0;
  for (let bytes = 0; bytes < GB; lines += 20_000) bytes += writeSync(descriptor, block);
  closeSync(descriptor);
  return lines;
}
