import { spawnSync } from "node:child_process";
import { chmodSync, symlinkSync } from "node:fs";
import { createPolicy, createSession, createWorkspace, judge, type Tool, ToolRegistry } from "@toycoder/core";
import { type TempWorkspace, tempWorkspace } from "@toycoder/testing";
import { expect, test } from "vitest";
import { commandEnvironment } from "./environment.ts";
import { createRunCommand } from "./run-command.ts";
import { compose } from "./test-support/compose.ts";
import { seeded } from "./test-support/seeded.ts";

const COUNT = process.env.TOYCODER_SOAK === "1" ? 20_000 : 200;
const SEED = Number(process.env.TOYCODER_SEED ?? 20_261_130);

const WRAPPERS = "env command exec nohup nice timeout stdbuf xargs find sh bash cat printf time".split(" ");

const POLICIES = {
  // What is named is allowed, and the marked command is not among it.
  allowing: {
    allow: [
      ...["ok", "echo", "f", "test", ":", "true", "false", "set", "sudo", "doas", "busybox", "builtin", "\\["]
        .concat(WRAPPERS)
        .map((name) => `run_command(${name} *)`),
      "run_command(out/prog *)",
      "run_command(./out/prog *)",
      "write:out/**",
    ],
  },
  // Everything is, but for the marked command.
  denying: { allow: ["run_command"], deny: ["exec:mark *"] },
};

test.each(Object.entries(POLICIES))(
  `what a policy allows runs no marked command: %s (${COUNT} compositions, seed ${SEED})`,
  async (name, policy) => {
    using workspace = tempWorkspace(stubs());
    prepare(workspace);
    const registry = new ToolRegistry();
    const tool = createRunCommand({ timeoutSeconds: 30, maxOutputBytes: 1 << 20 }) as Tool;
    registry.register(tool);
    const one = createWorkspace({ root: workspace.path("work") });
    const session = createSession({
      registry,
      policy: createPolicy({ root: one.root, ...policy }),
      workspace: one,
      enable: ["run_command"],
    });
    const random = seeded(SEED);
    const texts = Array.from({ length: COUNT }, () => compose(random, workspace.root));
    const allowed: string[] = [];
    let refused = 0;
    for (const command of texts) {
      const { decision } = await judge(session, tool, { command, workdir: ".", timeout: 30 });
      if (decision.decision === "allow") allowed.push(command);
      else refused++;
    }
    const bad = runAll([...new Set(allowed)], workspace, name === "allowing" ? /mark|stray/ : /mark/);
    expect(bad).toEqual([]);
    // The policy is one under which something happens, and something doesn't.
    expect(allowed.length).toBeGreaterThan(COUNT / 20);
    expect(refused).toBeGreaterThan(COUNT / 20);
    expect(workspace.read("log").split("ok").length).toBeGreaterThan(COUNT / 50);
    session.dispose();
  },
);

/** The programs that there are: each writes its name into the log, or runs what follows its options. */
function stubs(): Record<string, string> {
  const logs = (name: string): string => `#!/bin/sh\necho ${name} >> "\${0%/bin/*}/log"\n`;
  const runs = `#!/bin/sh\nwhile case "$1" in -*) true;; *) false;; esac; do shift; done\nexec "$@"\n`;
  return {
    "bin/ok": logs("ok"),
    "bin/mark": logs("mark"),
    "bin/sudo": runs,
    "bin/doas": runs,
    "bin/busybox": runs,
    "work/a.txt": "mark\n",
    "work/sub/b.txt": "mark\n",
    "work/out/prog": "#!/bin/sh\n:\n",
    log: "",
  };
}

function prepare(workspace: TempWorkspace): void {
  for (const name of ["ok", "mark", "sudo", "doas", "busybox"])
    chmodSync(workspace.path(`bin/${name}`), 0o755);
  const { stdout } = spawnSync("/bin/sh", ["-c", `for x in ${WRAPPERS.join(" ")}; do which $x; done`]);
  for (const file of stdout.toString().trim().split("\n")) {
    if (file.startsWith("/"))
      symlinkSync(file, workspace.path(`bin/${file.slice(file.lastIndexOf("/") + 1)}`));
  }
}

/**
 * Runs texts one after the other, each in the same folder. Gives those of which the log shows something forbidden: the
 * marked command, or a file outside the folder that may be written.
 */
function runAll(texts: readonly string[], workspace: TempWorkspace, forbidden: RegExp): string[] {
  const script = `
    while IFS= read -r -d '' text; do
      /usr/bin/timeout -s KILL 1 "$BASH" -c -- "$text" >/dev/null 2>&1 </dev/null
      for file in * sub/* out/*; do
        case $file in
          a.txt | sub | sub/b.txt | out | out/prog) ;;
          out/*) /bin/rm -rf -- "$file" ;;
          *) /bin/rm -rf -- "$file"; echo "stray" >> ../log ;;
        esac
      done
      printf '#!/bin/sh\\n:\\n' > out/prog
      echo ";" >> ../log
    done`;
  const environment = {
    ...commandEnvironment(process.env),
    PATH: workspace.path("bin"),
    PWD: workspace.path("work"),
  };
  const { error } = spawnSync("/bin/bash", ["-c", script], {
    cwd: workspace.path("work"),
    input: texts.map((text) => `${text}\0`).join(""),
    stdio: ["pipe", "ignore", "ignore"],
    env: environment,
  });
  expect(error).toBeUndefined();
  const parts = workspace.read("log").split(";\n");
  // In the background it may come a little late.
  return texts.filter((_, index) => forbidden.test(parts[index] ?? ""));
}
