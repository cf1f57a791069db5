import { Buffer } from "node:buffer";
import { spawnSync } from "node:child_process";
import { readdirSync, statSync, writeFileSync } from "node:fs";
import { tempWorkspace } from "@toycoder/testing";
import { expect, test } from "vitest";
import { atomicWrite, removeLeftovers } from "./atomic-write.ts";
import { killedWriters } from "./test-support/killed-writers.ts";

test("what the check throws calls the write off, and nothing is left", async () => {
  using workspace = tempWorkspace({ f: "old" });
  const replaces = statSync(workspace.path("f"), { bigint: true });
  const check = (): void => {
    throw new Error("no");
  };
  await expect(
    atomicWrite({ target: workspace.path("f"), bytes: Buffer.from("new"), replaces, check }),
  ).rejects.toThrow("no");
  expect(workspace.read("f")).toBe("old");
  expect(readdirSync(workspace.root)).toEqual(["f"]);
});

test("a failing rename leaves the target and no temporary file", async () => {
  using workspace = tempWorkspace({ "dir/inner": "" });
  const write = atomicWrite({ target: workspace.path("dir"), bytes: Buffer.from("x"), replaces: undefined });
  await expect(write).rejects.toThrow(/EISDIR|ENOTEMPTY|EEXIST/);
  expect(readdirSync(workspace.root)).toEqual(["dir"]);
});

test("leftovers of dead processes go, those of living ones stay", async () => {
  using workspace = tempWorkspace();
  const { pid: dead } = spawnSync(process.execPath, ["--version"]);
  let sample = "";
  const check = (): void => {
    [sample = ""] = readdirSync(workspace.root);
  };
  await atomicWrite({ target: workspace.path("f"), bytes: Buffer.from("x"), replaces: undefined, check });
  const name = (pid: number): string => sample.replace(`-${process.pid}-`, `-${pid}-`);
  writeFileSync(workspace.path(name(dead)), "");
  writeFileSync(workspace.path(name(process.pid)), "");
  writeFileSync(workspace.path(".toycoder-other.tmp"), "");
  await removeLeftovers(workspace.root);
  expect(readdirSync(workspace.root).toSorted()).toEqual(
    [name(process.pid), ".toycoder-other.tmp", "f"].toSorted(),
  );
});

// Ten processes, one after the other: on a busy machine that takes its time.
test(
  "killed in the middle: the file is whole, old or new, and the next write tidies up",
  { timeout: 60_000 },
  async () => {
    using workspace = tempWorkspace();
    expect(await killedWriters({ root: workspace.root, rounds: 10 })).toMatchObject({
      torn: 0,
      leftovers: 0,
    });
  },
);
