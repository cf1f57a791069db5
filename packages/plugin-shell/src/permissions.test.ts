import { existsSync } from "node:fs";
import type { PolicyOptions, Tool, ToolResult } from "@toycoder/core";
import { tempWorkspace, toolBench } from "@toycoder/testing";
import { describe, expect, test } from "vitest";
import { createRunCommand } from "./run-command.ts";

const tool = createRunCommand({ timeoutSeconds: 30, maxOutputBytes: 1 << 20 }) as Tool;
type Rules = Omit<PolicyOptions, "root">;

/** Runs a command under rules, where `./mark` leaves a file behind. Headless, as in CI. */
async function runUnder(
  policy: Rules,
  command: string,
  workdir = ".",
): Promise<{ result: ToolResult; marked: boolean }> {
  using workspace = tempWorkspace({
    ".env": "KEY=secret",
    "src/a.ts": "KEY",
    "sub/inner/x": "",
    mark: '#!/bin/sh\n: > "$(dirname "$0")/MARKED"\n',
    "sub/mark": '#!/bin/sh\n: > "$(dirname "$0")/../MARKED"\n',
    "toycoder.config.ts": "config",
    ".git/config": "git",
  });
  const { chmodSync } = await import("node:fs");
  for (const file of ["mark", "sub/mark"]) chmodSync(workspace.path(file), 0o755);
  const bench = toolBench([tool], { root: workspace.root, policy });
  const result = await bench.call("run_command", { command, workdir });
  bench.session.dispose();
  const kept = workspace.read("toycoder.config.ts") === "config" && workspace.read(".git/config") === "git";
  return { result, marked: existsSync(workspace.path("MARKED")) || !kept };
}

const codeOf = (result: ToolResult): string => (result.ok ? "ran" : result.error.code);

describe("an allow rule allows what it says", () => {
  const policy = { allow: ["run_command(echo hello *)"] };

  test.each([
    "echo hello",
    "echo  hello   you",
    "echo 'hello' \"you; ./mark\"",
    "CI=1 echo hello 2>&1",
    "echo hello # ./mark",
    "time echo hello",
    "echo hello $'\\n./mark'",
    "echo hello && echo hello you | echo hello",
    "for x in ./mark y; do echo hello $x; done",
  ])("%s", async (command) => {
    const { result, marked } = await runUnder(policy, command);
    expect([codeOf(result), marked]).toEqual(["ran", false]);
  });

  test.each([
    "./mark",
    "echo hellos",
    "echo hello && ./mark",
    "echo hello; ./mark",
    "echo hello | ./mark",
    "echo hello\n./mark",
    "echo hello & ./mark",
    "echo hello || ./mark",
    "echo hello $(./mark)",
    'echo hello "$(./mark)"',
    "echo hello `./mark`",
    "echo hello <(./mark)",
    "echo hello > MARKED",
    "echo hello >| MARKED",
    "echo hello &> MARKED",
    "{ echo hello; ./mark; }",
    "(echo hello; ./mark)",
    "! echo hello && ./mark",
    "echo hello \\\n; ./mark",
    "X=$(./mark) echo hello",
    "PATH=. echo hello",
    "echo hello {a}<(./mark)",
    "env echo hello",
    "echo(){ ./mark; }; echo hello",
    "echo hello <<E\n$(./mark)\nE",
    "echo hello <<<$(./mark)",
    "echo hello $((x[$(./mark)]))",
    "echo hello ${x:-$(./mark)}",
    "echo hello *",
    "sh -c 'echo hello; ./mark'",
    "eval ./mark",
    "find . -exec ./mark ;",
    "xargs ./mark",
    "trap ./mark EXIT",
  ])("and not %j", async (command) => {
    const { result, marked } = await runUnder(policy, command);
    expect([codeOf(result), marked]).toEqual(["approval_required", false]);
  });

  test("nor the same words in another folder", async () => {
    expect(codeOf((await runUnder({ allow: ["run_command(./mark)"] }, "./mark")).result)).toBe("ran");
    const { result, marked } = await runUnder({ allow: ["run_command(./mark)"] }, "./mark", "sub");
    expect([codeOf(result), marked]).toEqual(["approval_required", false]);
    expect(result).toMatchObject({ error: { hint: expect.stringContaining("run_command(./sub/mark)") } });
  });
});

describe("a deny rule for a command holds under an allow rule for the whole tool", () => {
  const policy = { allow: ["run_command"], deny: ["exec:mark *"] };

  test.each([
    "./mark",
    "env ./mark",
    "sh -c ./mark",
    "{./mark,}",
    "a=./mark; $a",
    "echo x; ./mark",
    "FOO=1 ./mark",
    "timeout 5 ./mark",
    "$'./mark'",
    "echo | xargs ./mark",
    "find . -exec ./mark {} +",
    "cd sub && ./mark",
    'echo "$(./mark)"',
    "true && { ! (./mark); } &",
    "././mark x",
    'm""ark',
    "./m'a'rk",
    "\\./mark",
    "CI=1 ./mark",
    "./mark 2>&1",
    "sub/mark",
    "$PWD/mark",
  ])("%s is denied or asks", async (command) => {
    const { result, marked } = await runUnder(policy, command);
    expect(codeOf(result)).toMatch(/permission_denied|approval_required/);
    expect(marked).toBe(false);
  });

  test.each([
    "echo ./mark | sh",
    "$(echo ./mark)",
    "./mar[k]",
    "./m*k",
    "bash <<< ./mark",
    "find . -name mark -exec {} ;",
    "git -c core.pager=./mark log",
    "printf -v 'a[$(./mark)]' x",
    "test -v 'a[$(./mark)]'",
    "echo ./mark > x; . ./x",
    'node -e \'require("child_process").execSync("./mark")\'',
    "awk 'BEGIN{system(\"./mark\")}'",
    "sed '1e ./mark' src/a.ts",
  ])("%j asks: it may hide one", async (command) => {
    const { result, marked } = await runUnder(policy, command);
    expect([codeOf(result), marked]).toEqual(["approval_required", false]);
  });

  test("what it doesn't concern runs", async () => {
    expect(codeOf((await runUnder(policy, "echo mark")).result)).toBe("ran");
  });
});

describe("a deny rule for reading holds", () => {
  const policy = { allow: ["run_command"], deny: ["read:.env*"] };

  test.each([
    "cat .env",
    "cat ./.env",
    "cat ./src/../.env",
    "cat sub/inner/../../.env",
    "cat .e*",
    "cat .en?",
    "cat .[e]nv",
    "cat ./.e*",
    "cat '.env'",
    "grep KEY .env",
    "grep -r KEY .",
    "grep -rn KEY",
    "rg --hidden KEY",
    "rg KEY .",
    "tool --file=.env",
    "tool -f.env",
    "head -1 < /dev/null .env",
    "tar cf x.tar .",
    "cp .env copy",
    "cp -r . ../copy",
    "diff -r . src",
    "curl -d @.env http://127.0.0.1:1",
    "git grep KEY",
    "git show HEAD:.env",
    "cat .env | head",
    "cat < .env",
    "cat $PWD/.env",
    'cat "$(echo .env)"',
    "cd . && cat .env",
    "cd sub/inner; cat ../../.env",
    "X=.env; cat $X",
    "echo $(< .env)",
    "find . -exec cat {} +",
    "[[ -s .env ]] && true",
  ])("%s is denied", async (command) => {
    const { result } = await runUnder(policy, command);
    expect(result).toMatchObject({ ok: false, error: { code: "permission_denied" } });
    expect(JSON.stringify(result)).not.toContain("secret");
  });

  test("from another folder too", async () => {
    expect(codeOf((await runUnder(policy, "cat ../.env", "src")).result)).toBe("permission_denied");
  });

  test.each(["X=.env; cat $Y$X", "python3 -c 'print(open(\".env\").read())'"])(
    "%j asks: it may hide one",
    async (command) => {
      const { result } = await runUnder(policy, command);
      expect(codeOf(result)).toBe("approval_required");
    },
  );

  test.each(["ls src", "cat src/a.ts", "wc -l src/*.ts", "grep KEY src/a.ts"])("%s runs", async (command) => {
    expect(codeOf((await runUnder(policy, command)).result)).toBe("ran");
  });
});

describe("protected paths and the workspace's bounds", () => {
  const policy = { allow: ["run_command"], protect: [".git/", "toycoder.config.ts"] };

  test.each([
    "rm toycoder.config.ts",
    "mv src/a.ts toycoder.config.ts",
    "cp src/a.ts toycoder.config.ts",
    "cp src/a.ts .git/config",
    "tee toycoder.config.ts",
    "ln -sf src/a.ts toycoder.config.ts",
    "touch toycoder.config.ts",
    "truncate -s 0 .git/config",
    "rm -rf .git",
    "rm -rf .",
    "mv .git x",
    "dd if=src/a.ts of=toycoder.config.ts",
    "cp -t . sub/toycoder.config.ts",
    "sort src/a.ts --output=.git/config",
    "cc -o toycoder.config.ts x",
    "echo x > toycoder.config.ts",
    'printf x > "$PWD/.git/config"',
    "cd .git && echo x >> config",
    "cd sub; echo x >| ../.git/config",
    "true 2> .git/config",
    "true &> .git/config",
    "true <> .git/config",
    "find .git -delete",
    "find . -type f -fprint .git/config",
  ])("%s is not written", async (command) => {
    const { result, marked } = await runUnder(policy, command);
    expect(codeOf(result)).toBe("permission_denied");
    expect(marked).toBe(false);
  });

  test.each(["rm -r sub", "cp src/a.ts src/b.ts", "mkdir -p dist/x", "git status"])(
    "%s runs",
    async (command) => {
      expect(codeOf((await runUnder(policy, command)).result)).toBe("ran");
    },
  );

  test.each(["cat /etc/hostname", "cp src/a.ts /tmp/toycoder-none", "ls .."])("%s asks", async (command) => {
    expect(codeOf((await runUnder(policy, command)).result)).toBe("approval_required");
  });
});
