import { spawnSync } from "node:child_process";
import { mkdirSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { type FileChange, textOf } from "@toycoder/core";
import { type TempWorkspace, tempWorkspace, toolBench } from "@toycoder/testing";
import { expect, test } from "vitest";
import { editFile } from "./edit-file.ts";
import { smallDisk } from "./test-support/small-disk.ts";
import { writeFile } from "./write-file.ts";

test("a full disk (a tmpfs of 64 KB; where none may be mounted, a write error injected by a file size limit)", async () => {
  using workspace = tempWorkspace();
  mkdirSync(workspace.path("disk"));
  const unmount = smallDisk(workspace.path("disk"), 64);
  const changes = unmount === undefined ? await injectedError() : await fillDisk(workspace).finally(unmount);
  expect(changes).toEqual([]);
});

async function fillDisk(workspace: TempWorkspace): Promise<readonly FileChange[]> {
  const old = `one\n${"x".repeat(39_000)}`;
  writeFileSync(workspace.path("disk/f"), old, { mode: 0o640 });
  const { call, changes } = toolBench([editFile, writeFile], { root: workspace.root });
  const tries = [
    ["edit_file", { path: "disk/f", old_string: "one", new_string: "two" }],
    ["write_file", { path: "disk/f", content: "y".repeat(80_000) }],
    ["write_file", { path: "disk/new", content: "y".repeat(80_000) }],
    ["write_file", { path: "disk/deep/er/new", content: "y".repeat(80_000) }],
  ] as const;
  for (const [name, args] of tries) {
    const result = await call(name, { ...args });
    expect(result).toMatchObject({ error: { code: "disk_full" } });
    expect(textOf(result.content)).toMatch(/no space is left on the disk; the old content is still there/);
    const files = readdirSync(workspace.path("disk"), { recursive: true });
    expect(files.filter((file) => !String(file).startsWith("deep"))).toEqual(["f"]);
    expect(files.filter((file) => String(file).endsWith(".tmp"))).toEqual([]);
    expect(readFileSync(workspace.path("disk/f"), "utf8")).toBe(old);
    expect(statSync(workspace.path("disk/f")).mode & 0o777).toBe(0o640);
  }
  const recorded = [...changes];
  // With room again, the same session goes on.
  rmSync(workspace.path("disk/deep"), { recursive: true, force: true });
  expect(await call("write_file", { path: "disk/small", content: "z" })).toMatchObject({ ok: true });
  return recorded;
}

test(
  "an injected write error (a limit on a file's size): the old file stays, nothing else is left",
  injectedError,
);

async function injectedError(): Promise<readonly FileChange[]> {
  using workspace = tempWorkspace({ target: "old" });
  const script = workspace.write("write.ts", tooLargeScript(workspace.path("target")));
  const command = `trap "" XFSZ; ulimit -f 64; exec "$0" --conditions=@toycoder/source "$1"`;
  const { stdout } = spawnSync("bash", ["-c", command, process.execPath, script], { encoding: "utf8" });
  expect(stdout).toBe("EFBIG");
  expect(workspace.read("target")).toBe("old");
  expect(readdirSync(workspace.root).toSorted()).toEqual(["target", "write.ts"]);
  return [];
}

const tooLargeScript = (target: string): string => `
import { statSync } from "node:fs";
import { atomicWrite } from ${JSON.stringify(fileURLToPath(new URL("atomic-write.ts", import.meta.url)))};
const target = ${JSON.stringify(target)};
try {
  await atomicWrite({ target, bytes: Buffer.alloc(1_000_000), replaces: statSync(target, { bigint: true }) });
} catch (error) {
  process.stdout.write(error.code);
}
`;
