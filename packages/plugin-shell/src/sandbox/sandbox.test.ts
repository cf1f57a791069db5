import { execFileSync, spawn } from "node:child_process";
import { once } from "node:events";
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  rmSync,
  symlinkSync,
} from "node:fs";
import { type AddressInfo, createServer } from "node:net";
import path from "node:path";
import {
  createPolicy,
  createSession,
  createWorkspace,
  dispatch,
  textOf,
  type Tool,
  ToolRegistry,
} from "@toycoder/core";
import { hasProgram, type TempWorkspace, tempWorkspace, type ToolBench, toolBench } from "@toycoder/testing";
import { afterEach, beforeEach, describe, expect, onTestFinished, test } from "vitest";
import { createRunCommand } from "../run-command.ts";
import { hasSandbox } from "../test-support/has-sandbox.ts";
import { processesWith } from "../test-support/processes-with.ts";
import { openSandbox } from "./sandbox.ts";

const PROTECT = [".git/", "toycoder.config.ts", ".toycoderrc"];

let workspace: TempWorkspace;
let outside: TempWorkspace;
beforeEach(() => {
  workspace = tempWorkspace({
    "src/a.ts": "a",
    ".git/config": "[core]\n",
    "toycoder.config.ts": "config",
    ".env": "SECRET=1",
    "keys/deep/.env.local": "SECRET=2",
    "private/key": "SECRET=3",
  });
  outside = tempWorkspace({ "kept.txt": "kept" });
});
afterEach(() => {
  workspace.dispose();
  outside.dispose();
});

const sandboxed = async (network = false): Promise<Tool> =>
  createRunCommand({
    timeoutSeconds: 20,
    maxOutputBytes: 1 << 20,
    sandbox: await openSandbox("required", network),
  });

async function bench(
  rules: { allow?: string[]; deny?: string[]; protect?: string[] } = {},
  network = false,
): Promise<ToolBench> {
  const policy = {
    allow: ["run_command"],
    deny: ["read:.env*", "read:private/**"],
    protect: PROTECT,
    ...rules,
  };
  return toolBench([await sandboxed(network)], { root: workspace.root, policy });
}

/** Runs bash code that permissions cannot read, so that only the sandbox is in its way. */
async function run(code: string, on?: ToolBench): Promise<string> {
  workspace.write("script.sh", code);
  const used = on ?? (await bench());
  const result = await used.call("run_command", { command: "bash script.sh" });
  return textOf(result.content);
}

describe.skipIf(!hasSandbox)("in the sandbox", () => {
  test("the workspace and /tmp can be written, and the header tells of it", async () => {
    const shown = await run(
      "echo new > src/b.ts && echo x > $TMPDIR/t && cat $TMPDIR/t /tmp/t && ls -A /tmp",
    );
    expect(shown).toMatch(/^\[exit 0 · [\d.]+ s · sandbox\]\nx\nx\n/);
    expect(workspace.read("src/b.ts")).toBe("new\n");
    expect(existsSync("/tmp/t")).toBe(false);
  });

  test.each([
    ["outside the workspace", () => `echo bad > ${outside.path("kept.txt")}`],
    ["outside the workspace, a file of the system", () => "echo bad > /etc/toycoder-test"],
    ["in .git", () => "echo bad > .git/config"],
    ["in .git, a new file", () => "mkdir -p .git/hooks && echo bad > .git/hooks/pre-commit"],
    ["to the config", () => "echo bad > toycoder.config.ts"],
    ["over the config", () => "echo bad > c && mv -f c toycoder.config.ts"],
    ["to a config that isn't there", () => "echo bad > .toycoderrc"],
    ["through a link", () => "ln -s .git/config l && echo bad > l"],
    ["through a link out of the workspace", () => `ln -s ${outside.root} out && echo bad > out/kept.txt`],
    ["by mounting it anew", () => "mount -o remount,rw,bind .git && echo bad > .git/config"],
    [
      "in namespaces of its own",
      () => "unshare -Urm sh -c 'umount toycoder.config.ts; echo bad > toycoder.config.ts'",
    ],
    ["after removing what is protected", () => "rm -rf .git && mkdir .git && echo bad > .git/config"],
  ])("writing %s fails, is told, and the rest is done", async (_, code) => {
    const before = [".git/config", "toycoder.config.ts"].map((one) => workspace.read(one));
    const shown = await run(`echo first > done.txt\n( ${code()} ) && echo WRITTEN\necho last >> done.txt`);
    expect(shown).not.toContain("WRITTEN");
    expect(shown).toMatch(/Read-only file system|Is a directory|No such file|busy|permitted|denied/);
    expect(workspace.read("done.txt")).toBe("first\nlast\n");
    expect([".git/config", "toycoder.config.ts"].map((one) => workspace.read(one))).toEqual(before);
    expect(outside.read("kept.txt")).toBe("kept");
    expect(existsSync(workspace.path(".toycoderrc"))).toBe(false);
    expect(existsSync("/etc/toycoder-test")).toBe(false);
  });

  test.each([
    "cat .env",
    "cat keys/deep/.env.local",
    "cat private/key",
    "ln -s .env l; cat l",
    "cp -r keys copied; cat copied/deep/.env.local",
    "mv keys moved; cat moved/deep/.env.local",
    "cat /proc/1/root$PWD/.env",
  ])("reading what is denied fails: %s", async (code) => {
    const shown = await run(`( ${code} ) || echo failed\ncat src/a.ts`);
    expect(shown).not.toContain("SECRET");
    expect(shown).toMatch(/Permission denied|No such file/);
    expect(shown).toMatch(/failed\na$/);
  });

  test("a link whose name is denied does not show what it leads to", async () => {
    workspace.write("config/production", "SECRET=4");
    symlinkSync("config/production", workspace.path(".env.production"));
    expect(await run("cat .env.production config/production; true")).not.toContain("SECRET");
  });

  test("a server on 127.0.0.1 is out of reach, but with network", async () => {
    const server = createServer((socket) => socket.end("SERVED")).listen(0, "127.0.0.1");
    await once(server, "listening");
    const { port } = server.address() as AddressInfo;
    const code = `exec 3<>/dev/tcp/127.0.0.1/${port} && cat <&3\necho rest`;
    expect(await run(code)).toMatch(/Connection refused[^]*rest$/);
    expect(await run(code, await bench({}, true))).toMatch(/SERVEDrest$/);
    server.close();
  });

  test("a process outside cannot be seen or ended", async () => {
    const other = spawn("sleep", ["99"]);
    const shown = await run(
      `kill -9 ${other.pid}; echo $?\npgrep -f vitest; ls -d /proc/${other.pid}; echo rest`,
    );
    expect(shown).toMatch(/No such process\n1\n/);
    expect(shown).toMatch(/cannot access[^]*rest$/);
    expect(other.exitCode).toBeNull();
    other.kill();
    expect(await once(other, "exit")).toEqual([null, "SIGTERM"]);
  });

  test("nothing of a command survives it, whatever it does", async () => {
    const marker = `9${process.hrtime.bigint()}`;
    const shown = await run(
      `env -i setsid sh -c 'trap "" TERM; sleep ${marker} & sleep ${marker}' >/dev/null 2>&1 &\necho done`,
    );
    expect(shown).toMatch(/done$/);
    expect(processesWith(marker)).toEqual([]);
  });

  test("at its limit a command may still end by itself, and nothing is left", async () => {
    const marker = `9${process.hrtime.bigint()}`;
    workspace.write(
      "script.sh",
      `trap 'echo bye > ended; exit' TERM\nenv -i setsid sleep ${marker} &\necho up\nsleep ${marker} & wait`,
    );
    const result = await (await bench()).call("run_command", { command: "bash script.sh", timeout: 1 });
    expect(result).toMatchObject({ ok: false, error: { code: "timeout" } });
    expect(textOf(result.content)).toContain("up");
    expect(workspace.read("ended")).toBe("bye\n");
    expect(processesWith(marker)).toEqual([]);
  });

  test.skipIf(!hasProgram("git"))("git reads, and cannot change its folder", async () => {
    execFileSync("git", ["init", "-q", "."], { cwd: workspace.root });
    execFileSync("git", ["add", "src"], { cwd: workspace.root });
    const shown = await run(
      "git status --short src && git diff --cached --stat && git commit -qm x; echo $?",
    );
    expect(shown).toMatch(/A {2}src\/a\.ts\n[^]*1 file changed[^]*Read-only file system[^]*\n1?128$/);
  });

  test.skipIf(!hasProgram("git"))("git finds the repository above the workspace", async () => {
    // Not in /tmp, where nothing but the workspace is to be seen.
    const above = mkdtempSync("/var/tmp/toycoder-test-");
    onTestFinished(() => rmSync(above, { recursive: true }));
    execFileSync("git", ["init", "-q", "."], { cwd: above });
    const root = path.join(above, "one");
    mkdirSync(root);
    const policy = { allow: ["run_command"], protect: PROTECT };
    const used = toolBench([await sandboxed()], { root, policy });
    const result = await used.call("run_command", { command: "git rev-parse --show-toplevel; ls -A" });
    expect(textOf(result.content)).toContain(`\n${above}\n.git\n.toycoderrc\ntoycoder.config.ts`);
    expect(readdirSync(root)).toEqual([]);
  });

  test("an allow rule that spells a protected place out lifts it here, too", async () => {
    const shown = await run(
      "echo x > .git/HEAD && echo y > toycoder.config.ts; true",
      await bench({ allow: ["run_command", "write:./.git/**"] }),
    );
    expect(workspace.read(".git/HEAD")).toBe("x\n");
    expect(shown).toContain("Read-only file system");
  });

  test("further roots can be written", async () => {
    const registry = new ToolRegistry();
    registry.register(await sandboxed());
    const policy = createPolicy({ root: workspace.root, allow: ["run_command"], protect: PROTECT });
    const roots = createWorkspace({ root: workspace.root, roots: [outside.root] });
    const session = createSession({ registry, policy, workspace: roots });
    workspace.write("script.sh", `cd ${outside.root} && echo new > new && echo bad > .toycoderrc; ls -A`);
    const call = { id: "1", name: "run_command", arguments: { command: "bash script.sh" } };
    expect(textOf((await dispatch(call, session)).content)).toContain("Is a directory");
    expect(readdirSync(outside.root).toSorted()).toEqual(["kept.txt", "new"]);
    session.dispose();
  });

  test("a workspace that holds a protected folder for state cannot be made to write there", async () => {
    workspace.write(".state/sessions/s/events.jsonl", "{}\n");
    const shown = await run(
      "echo bad > .state/sessions/s/events.jsonl",
      await bench({ protect: [`${workspace.path(".state")}/`] }),
    );
    expect(shown).toContain("Read-only file system");
    expect(workspace.read(".state/sessions/s/events.jsonl")).toBe("{}\n");
  });
});

describe.skipIf(!hasSandbox)("names that are protected in every folder", () => {
  test("placeholders are gone after the command, and one that was left is taken over", async () => {
    const used = await bench();
    workspace.write("sub/x", "");
    expect(await run("ls -A", used)).toContain(".toycoderrc");
    expect(readdirSync(workspace.root)).not.toContain(".toycoderrc");
    execFileSync("sh", ["-c", "mkdir .toycoderrc && touch -d @1 .toycoderrc"], { cwd: workspace.root });
    expect(await run("echo bad > .toycoderrc", used)).toContain("Is a directory");
    expect(readdirSync(workspace.root)).not.toContain(".toycoderrc");
  });

  test("an empty folder of that name that is a person's stays", async () => {
    execFileSync("mkdir", [workspace.path(".toycoderrc")]);
    await run("rmdir .toycoderrc; touch .toycoderrc/x");
    expect(readdirSync(workspace.path(".toycoderrc"))).toEqual([]);
  });

  test("what is made beneath another folder is set aside, and told", async () => {
    const shown = await run("mkdir -p sub && echo bad > sub/toycoder.config.ts; mkdir -p sub/.git/hooks");
    expect(shown).toMatch(/^\[exit 0 .*\]\n/);
    expect(shown).toContain("[sandbox: sub/.git may not be made, and is now sub/.git.refused]");
    expect(shown).toContain(
      "[sandbox: sub/toycoder.config.ts may not be made, and is now sub/toycoder.config.ts.refused]",
    );
    expect(readdirSync(workspace.path("sub")).toSorted()).toEqual([
      ".git.refused",
      "toycoder.config.ts.refused",
    ]);
  });

  test("a protected file cannot be replaced by moving its folder", async () => {
    workspace.write("sub/toycoder.config.ts", "mine");
    const shown = await run("mv sub old && mkdir sub && echo bad > sub/toycoder.config.ts");
    expect(shown).toContain("sub/toycoder.config.ts was moved to old/toycoder.config.ts");
    expect(shown).toContain("sub/toycoder.config.ts may not be made");
    expect(existsSync(workspace.path("sub/toycoder.config.ts"))).toBe(false);
    expect(workspace.read("old/toycoder.config.ts")).toBe("mine");
  });

  test("a protected link is put back", async () => {
    workspace.write("real.ts", "real");
    workspace.write("sub/x", "");
    symlinkSync("../real.ts", workspace.path("sub/toycoder.config.ts"));
    const shown = await run(
      "echo bad > real.ts; rm sub/toycoder.config.ts; echo bad > sub/toycoder.config.ts",
    );
    expect(shown).toContain("sub/toycoder.config.ts may not be changed, and was put back");
    expect(readlinkSync(workspace.path("sub/toycoder.config.ts"))).toBe("../real.ts");
    expect(readFileSync(workspace.path("real.ts"), "utf8")).toBe("real");
  });
});

describe("without bubblewrap", () => {
  const created = async (mode: "auto" | "required") =>
    createRunCommand({
      timeoutSeconds: 20,
      maxOutputBytes: 1 << 20,
      sandbox: await openSandbox(mode, false, ""),
    });

  test("required fails and runs nothing", async () => {
    const used = toolBench([await created("required")], { root: workspace.root });
    const result = await used.call("run_command", { command: "touch ran" });
    expect(result).toMatchObject({
      ok: false,
      error: {
        code: "sandbox_unavailable",
        message: "commands run in a sandbox alone, and bubblewrap (the program bwrap) is not installed",
      },
    });
    expect(existsSync(workspace.path("ran"))).toBe(false);
  });

  test("auto runs without, and says so once", async () => {
    const used = toolBench([await created("auto")], { root: workspace.root });
    for (const _ of [1, 2]) {
      const result = await used.call("run_command", { command: "true" });
      expect(textOf(result.content)).toMatch(/^\[exit 0 · [\d.]+ s\]\n/);
    }
    const told = used.events.filter((event) => event.type === "progress");
    expect(told).toMatchObject([
      { message: "without a sandbox: bubblewrap (the program bwrap) is not installed" },
    ]);
  });
});
