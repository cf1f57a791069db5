import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdirSync, writeFileSync } from "node:fs";
import path from "node:path";
import { createPolicy, createSession, createWorkspace, dispatch, ToolRegistry } from "@toycoder/core";
import { createRunCommand, openSandbox, type SandboxMode } from "@toycoder/plugin-shell";

export interface Contender {
  name: string;
  /** Runs `true` once. */
  run: () => Promise<void>;
}

/** What a policy has in every project: the config's names and a rule that hides. */
const PROTECT = [".git/", "toycoder.config.ts", "toycoder.config.json", ".toycoderrc"];
const DENY = ["read:.env*"];

/** A folder with 20,000 files in 2,000 folders. */
function makeTree(root: string): void {
  for (let folder = 0; folder < 2000; folder++) {
    const place = path.join(root, `a${folder % 20}`, `b${folder}`);
    mkdirSync(place, { recursive: true });
    for (let file = 0; file < 10; file++) writeFileSync(path.join(place, `file${file}.ts`), "");
  }
}

async function spawned(program: string, args: readonly string[]): Promise<void> {
  const child = spawn(program, args, { stdio: ["ignore", "pipe", "pipe"] });
  child.stdout.resume();
  child.stderr.resume();
  const [code] = (await once(child, "close")) as [number | null];
  if (code !== 0) throw new Error(`${program} ended with ${code}`);
}

/** `run_command` through dispatch, in a session that runs on. */
async function dispatched(name: string, root: string, mode: SandboxMode): Promise<Contender> {
  const sandbox = await openSandbox(mode, false);
  const registry = new ToolRegistry();
  registry.register(createRunCommand({ timeoutSeconds: 60, maxOutputBytes: 1 << 20, sandbox }));
  const policy = createPolicy({ root, allow: ["run_command"], deny: DENY, protect: PROTECT });
  const session = createSession({ registry, policy, workspace: createWorkspace({ root }) });
  return {
    name,
    async run() {
      const result = await dispatch(
        { id: "1", name: "run_command", arguments: '{"command":"true"}' },
        session,
      );
      if (!result.ok) throw new Error(JSON.stringify(result));
    },
  };
}

/** `small` and `big` are empty folders. Without bubblewrap, what needs it is left out. */
export async function contenders(small: string, big: string): Promise<Contender[]> {
  makeTree(big);
  const bwrap = await openSandbox("auto", false);
  const all = [
    { name: "child_process.spawn: true", run: () => spawned("true", []) },
    { name: "child_process.spawn: bash -c true", run: () => spawned("bash", ["-c", "--", "true"]) },
    await dispatched("run_command, no sandbox", small, "off"),
  ];
  if ("problem" in bwrap.found) return all;
  const bare = ["--unshare-pid", "--unshare-ipc", "--unshare-net", "--die-with-parent", "--new-session"];
  const view = ["--ro-bind", "/", "/", "--dev", "/dev", "--proc", "/proc", "--tmpfs", "/tmp"];
  const { program } = bwrap.found;
  return [
    ...all,
    {
      name: "child_process.spawn: bwrap … bash -c true",
      run: () => spawned(program, [...bare, ...view, "--", "bash", "-c", "--", "true"]),
    },
    await dispatched("run_command, sandbox", small, "required"),
    await dispatched("run_command, sandbox, 20,000 files", big, "required"),
  ];
}
