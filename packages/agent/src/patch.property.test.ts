import { Buffer } from "node:buffer";
import { execFileSync } from "node:child_process";
import {
  chmodSync,
  cpSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from "node:fs";
import path from "node:path";
import { hasProgram, type TempWorkspace, tempWorkspace } from "@toycoder/testing";
import { array, assert, constantFrom, property, record, tuple } from "fast-check";
import { expect, it } from "vitest";
import { ChangeLog } from "./change-log.ts";

const runs = process.env.TOYCODER_SOAK === "1" ? 1500 : 15;

const names = [
  "a",
  "b.txt",
  "sub/dir/c",
  "sp ace",
  'qu"ote',
  "back\\slash",
  "漢字",
  "u\u0308",
  "tab\tnew\nline",
];
const lines = [
  "a\n",
  "b\n",
  "",
  "\n",
  "x\r\n",
  "x\n",
  "lone\rcr\n",
  "\r\n",
  "\\ No newline\n",
  "-- \n",
  "@@ -1 +1 @@\n",
];
const odd = [
  Buffer.from("caf\xe9\n", "latin1"),
  Buffer.from("nul\0\n"),
  Buffer.alloc(9000, "long\n"),
  Buffer.from([0, 255, 1]),
];
const line = constantFrom(
  ...lines.map((text) => Buffer.from(text)),
  ...lines.map((text) => Buffer.from(text)),
  ...odd,
);
const end = constantFrom("", "", "no final newline", "\r").map((text) => Buffer.from(text));
const content = tuple(array(line, { maxLength: 30 }), end).map(([all, last]) =>
  Buffer.concat([...all, last]),
);
const mode = constantFrom(0o644, 0o755, 0o600, 0o700);
const tree = array(record({ name: constantFrom(...names), bytes: content, mode }), { maxLength: 6 });
const change = record({
  name: constantFrom(...names),
  kind: constantFrom("write", "write", "edit", "edit", "delete", "chmod", "back"),
  bytes: content,
  mode,
});

/** Every file with its bytes and whether it is executable. */
function readTree(root: string): string[] {
  return readdirSync(root, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => {
      const file = path.join(entry.parentPath, entry.name);
      const executable = (statSync(file).mode & 0o100) !== 0;
      return `${path.relative(root, file)} ${executable} ${readFileSync(file).toString("latin1")}`;
    })
    .sort();
}

/** Inserts, replaces or removes a little in the middle. */
function edited(before: Buffer, bytes: Buffer): Buffer {
  const at = before.length >> 1;
  return Buffer.concat([
    before.subarray(0, at),
    bytes.subarray(0, 9),
    before.subarray(at + (bytes.length % 20)),
  ]);
}

/** Changes a file as a tool would, and records it. */
function apply(work: TempWorkspace, log: ChangeLog, first: Map<string, Buffer>, step: Step): void {
  const file = work.path(step.name);
  const stats = statSync(file, { throwIfNoEntry: false });
  const before = stats === undefined ? null : readFileSync(file);
  if (before !== null && !first.has(step.name)) first.set(step.name, before);
  let after: Buffer | null = step.bytes;
  if (step.kind === "delete") after = null;
  if (step.kind === "chmod") after = before;
  if (step.kind === "edit" && before !== null) after = edited(before, step.bytes);
  if (step.kind === "back") after = first.get(step.name) ?? before;
  const kept = step.kind === "chmod" || stats === undefined ? step.mode : stats.mode & 0o777;
  if (after === null) rmSync(file, { force: true });
  else {
    work.write(step.name, after);
    chmodSync(file, kept);
  }
  if (before === null && after === null) return;
  const real = { absolute: file, real: file, display: step.name, inside: true };
  log.record({
    path: real,
    before,
    after,
    mode: { ...(stats && { before: stats.mode & 0o777 }), after: kept },
  });
}

interface Step {
  name: string;
  kind: string;
  bytes: Buffer;
  mode: number;
}

const git = (cwd: string, args: readonly string[]): void => {
  const env = {
    ...process.env,
    GIT_CONFIG_GLOBAL: "/dev/null",
    GIT_CONFIG_SYSTEM: "/dev/null",
    GIT_CEILING_DIRECTORIES: path.dirname(cwd),
  };
  execFileSync("git", args, { cwd, env, stdio: ["ignore", "ignore", "pipe"] });
};

it.skipIf(!hasProgram("git"))(
  `${runs} runs: git applies the patch to the tree as it was, and gets the tree as it is`,
  { timeout: 600_000 },
  () => {
    assert(
      property(tree, array(change, { minLength: 1, maxLength: 12 }), (files, steps) => {
        using work = tempWorkspace();
        using copy = tempWorkspace();
        using state = tempWorkspace();
        for (const { name, bytes, mode: bits } of files) chmodSync(work.write(name, bytes), bits);
        cpSync(work.root, copy.root, { recursive: true });
        const log = new ChangeLog(state.root);
        const first = new Map<string, Buffer>();
        for (const step of steps) apply(work, log, first, step);
        const { bytes, leftOut } = log.patch(work.root);
        expect(leftOut).toEqual([]);
        const wanted = readTree(work.root);
        if (bytes.length > 0) {
          writeFileSync(state.path("run.patch"), bytes);
          git(copy.root, ["apply", state.path("run.patch")]);
          expect(readTree(copy.root)).toEqual(wanted);
          git(copy.root, ["apply", "--reverse", "--check", state.path("run.patch")]);
        }
        expect(readTree(copy.root)).toEqual(wanted);
      }),
      { numRuns: runs, seed: 20_260_102 },
    );
  },
);

it("names, modes and kinds are written as git writes them", () => {
  using work = tempWorkspace({ "sp ace": "one\n", gone: "x", run: "#!\n" });
  using state = tempWorkspace();
  mkdirSync(work.path("d"));
  const log = new ChangeLog(state.root);
  const first = new Map<string, Buffer>();
  const bytes = Buffer.from("two");
  apply(work, log, first, { name: "sp ace", kind: "write", bytes, mode: 0o644 });
  apply(work, log, first, { name: "gone", kind: "delete", bytes, mode: 0o644 });
  apply(work, log, first, { name: "run", kind: "chmod", bytes, mode: 0o755 });
  apply(work, log, first, { name: 'd/漢"', kind: "write", bytes: Buffer.from("a\r\n"), mode: 0o644 });
  expect(log.patch(work.root).bytes.toString()).toBe(
    [
      String.raw`diff --git "a/d/\346\274\242\"" "b/d/\346\274\242\""`,
      "new file mode 100644",
      "--- /dev/null",
      String.raw`+++ "b/d/\346\274\242\""`,
      "@@ -0,0 +1 @@",
      "+a\r",
      "diff --git a/gone b/gone",
      "deleted file mode 100644",
      "--- a/gone",
      "+++ /dev/null",
      "@@ -1 +0,0 @@",
      "-x",
      "\\ No newline at end of file",
      "diff --git a/run b/run",
      "old mode 100644",
      "new mode 100755",
      "diff --git a/sp ace b/sp ace",
      "--- a/sp ace\t",
      "+++ b/sp ace\t",
      "@@ -1 +1 @@",
      "-one",
      "+two",
      "\\ No newline at end of file",
      "",
    ].join("\n"),
  );
});

it("what lies outside of the folder is named, not written", () => {
  using work = tempWorkspace();
  using other = tempWorkspace({ f: "x" });
  using state = tempWorkspace();
  const log = new ChangeLog(state.root);
  const file = other.path("f");
  log.record({
    path: { absolute: file, real: file, display: file, inside: true },
    before: Buffer.from("y"),
    after: Buffer.from("x"),
  });
  expect(log.patch(work.root)).toEqual({ bytes: Buffer.alloc(0), leftOut: [file] });
});

it("one line of a 50 MB file is a small patch", () => {
  const block = Array.from({ length: 10_000 }, (_, index) => `line ${index} of a large file\n`).join("");
  const before = Buffer.from(block.repeat(Math.ceil(50_000_000 / block.length)));
  const after = Buffer.from(before);
  after.write("LINE", before.indexOf("line 77 ", before.length >> 1));
  using work = tempWorkspace({ big: after });
  using state = tempWorkspace();
  const log = new ChangeLog(state.root);
  const file = work.path("big");
  log.record({ path: { absolute: file, real: file, display: "big", inside: true }, before, after });
  const { bytes } = log.patch(work.root);
  expect(
    bytes
      .toString()
      .match(/^[-+].*$/gm)
      ?.slice(2),
  ).toEqual(["-line 77 of a large file", "+LINE 77 of a large file"]);
  expect(bytes.length).toBeLessThan(500);
});
