import { existsSync, mkdirSync, readdirSync, symlinkSync, writeFileSync } from "node:fs";
import path from "node:path";
import { textOf, type Tool, type ToolResult } from "@toycoder/core";
import { editFile, listDir, readFile, writeFile } from "@toycoder/plugin-files";
import { globSearch, grepSearch } from "@toycoder/plugin-search";
import { createRunCommand } from "@toycoder/plugin-shell";
import { type TempWorkspace, tempWorkspace, toolBench } from "@toycoder/testing";
import { describe, expect, it } from "vitest";

const TOOLS: readonly Tool[] = [
  readFile,
  writeFile,
  editFile,
  listDir,
  globSearch,
  grepSearch,
  createRunCommand({ timeoutSeconds: 30, maxOutputBytes: 1_000_000 }),
];

/** A call of each built-in tool on a path. */
const CALLS: readonly [tool: string, args: (path: string) => Record<string, unknown>][] = [
  ["read_file", (path) => ({ path })],
  ["write_file", (path) => ({ path, content: "changed\n" })],
  ["edit_file", (path) => ({ path, old_string: "secret", new_string: "changed" })],
  ["list_dir", (path) => ({ path })],
  ["glob_search", (path) => ({ pattern: "*", path })],
  ["grep_search", (path) => ({ pattern: "secret", path })],
  ["run_command", (path) => ({ command: `cat '${path}'` })],
  ["run_command", (path) => ({ command: `echo changed > '${path}'` })],
];
const EACH = CALLS.map(([tool, args]) => ({ tool, call: JSON.stringify(args("PATH")), args }));

/** `base/workspace` with links out of it, beside `base/outside` and `base/workspace-evil`. */
function layOut(base: TempWorkspace): string {
  base.write("workspace/inside.txt", "inside secret\n");
  base.write("outside/secret.txt", "secret\n");
  base.write("workspace-evil/secret.txt", "secret\n");
  const root = base.path("workspace");
  symlinkSync("../outside", path.join(root, "link"));
  symlinkSync("link", path.join(root, "link2"));
  symlinkSync("../outside/secret.txt", path.join(root, "file-link"));
  symlinkSync("../outside/new.txt", path.join(root, "dangling"));
  mkdirSync(path.join(root, "sub"));
  symlinkSync("..", path.join(root, "sub/up"));
  return root;
}

const policy = {
  levels: { safe: "allow", sensitive: "allow", dangerous: "allow" },
  deny: ["read:denied*"],
} as const;

function expectRefused(result: ToolResult): void {
  const codes = ["outside_workspace", "permission_denied", "approval_required"];
  expect(codes).toContain(result.ok ? textOf(result.content) : result.error.code);
}

describe.each(EACH)("$tool $call", ({ tool, args }) => {
  it.each([
    ["a link out", "link/secret.txt"],
    ["a new file through a link out", "link/new.txt"],
    ["a link to a link out", "link2/secret.txt"],
    ["a link to a file outside", "file-link"],
    ["a dangling link out", "dangling"],
    ["a neighbour whose name begins alike", "../workspace-evil/secret.txt"],
    ["dots and slashes", ".//sub/.././../outside//secret.txt"],
    ["a folder outside", "../outside/."],
    ["the system's own link to the root", "/proc/self/root/etc/hostname"],
  ])("does nothing outside by %s", async (_, target) => {
    using base = tempWorkspace();
    const root = layOut(base);
    const bench = toolBench(TOOLS, { root, policy });
    const result = await bench.call(tool, args(target));
    // Reading what is not there has no effect that could be refused.
    const reads = args("x")["command"] === "cat 'x'" && !existsSync(path.resolve(root, target));
    if (reads) expect(textOf(result.content)).toContain("No such file");
    else expectRefused(result);
    expect(readdirSync(base.path("outside"))).toEqual(["secret.txt"]);
    expect(base.read("outside/secret.txt")).toBe("secret\n");
    expect(base.read("workspace-evil/secret.txt")).toBe("secret\n");
  });

  it("takes .. by the name, as all tools do, not by where a link leads", async () => {
    using base = tempWorkspace();
    const bench = toolBench(TOOLS, { root: layOut(base), policy });
    await bench.call(tool, args("sub/up/../outside/secret.txt"));
    expect(base.read("outside/secret.txt")).toBe("secret\n");
  });

  it("sees nothing of what read: rules deny, by whatever name", async () => {
    using base = tempWorkspace();
    const root = layOut(base);
    writeFileSync(path.join(root, "denied.txt"), "secret\n");
    symlinkSync("denied.txt", path.join(root, "innocent.txt"));
    const bench = toolBench(TOOLS, { root, policy });
    for (const target of ["denied.txt", "./sub/../denied.txt", "innocent.txt", "sub/up/denied.txt"]) {
      const result = await bench.call(tool, args(target));
      if (tool === "write_file" || args("x")["command"] === "echo changed > 'x'") continue;
      expect(result.ok ? textOf(result.content) : result.error.code).not.toMatch(/1: secret|^secret/m);
      if (tool !== "edit_file") expectRefused(result);
    }
  });

  it("takes spaces, line breaks and brackets in a name for what they are", async () => {
    using base = tempWorkspace();
    const root = layOut(base);
    const bench = toolBench(TOOLS, { root, policy });
    for (const name of ["a b.txt", "line\nbreak.txt", "[id].txt", "(group).txt", "%20.txt"]) {
      writeFileSync(path.join(root, name), "secret\n");
      const target = tool === "list_dir" || tool === "glob_search" ? "." : name;
      const result = await bench.call(tool, args(target));
      expect({ name, result }).toMatchObject({ result: { ok: true } });
    }
  });
});
