import { spawnSync } from "node:child_process";
import { tempWorkspace } from "@toycoder/testing";
import { describe, expect, it } from "vitest";
import { runToycoder } from "../test-support/run-toycoder.ts";

const has = (program: string): boolean => spawnSync(program, ["--version"]).status === 0;

async function scriptFor(shell: string): Promise<string> {
  using folder = tempWorkspace();
  const { code, stdout, stderr } = await runToycoder(["completions", shell], { cwd: folder.root });
  expect([code, stderr]).toEqual([0, ""]);
  return stdout;
}

function run(program: string, args: readonly string[], cwd: string): string[] {
  const { stdout, stderr } = spawnSync(program, args, {
    cwd,
    encoding: "utf8",
    env: { PATH: process.env["PATH"], HOME: cwd },
  });
  expect(stderr).toBe("");
  return stdout.split("\n").filter((line) => line !== "");
}

describe("toycoder completions", () => {
  const files = { "a b.txt": "", "after/x": "", "other.txt": "" };

  it.skipIf(!has("bash")).each([
    [["toycoder", "ru"], ["run"]],
    [["toycoder", "help", "se"], ["sessions"]],
    [
      ["toycoder", "tools", "s"],
      ["show", "search"],
    ],
    [
      ["toycoder", "run", "--out"],
      ["--output", "--output-schema"],
    ],
    [["toycoder", "run", "x", "--output", "j"], ["json"]],
    [["toycoder", "run", "--output", "=", "st"], ["stream-json"]],
    [
      ["toycoder", "run", "--output", "="],
      ["text", "json", "stream-json"],
    ],
    [
      ["toycoder", "run", "--file", "a"],
      ["a b.txt", "after"],
    ],
    [["toycoder", "chat", "--cwd", "a"], ["after"]],
    [["toycoder", "run", "--model", ""], []],
    [
      ["toycoder", "completions", ""],
      ["bash", "zsh", "fish", "--help"],
    ],
    [["toycoder", "nothing", ""], []],
  ])("in bash: %j", async (words, expected) => {
    using folder = tempWorkspace({ ...files, script: await scriptFor("bash") });
    const body = `source ./script; COMP_WORDS=("$@"); COMP_CWORD=$(( $# - 1 )); _toycoder; printf '%s\\n' "\${COMPREPLY[@]}"`;
    expect(run("bash", ["-c", body, "bash", ...words], folder.root).toSorted()).toEqual(expected.toSorted());
  });

  it.skipIf(!has("fish")).each([
    ["toycoder ru", ["run"]],
    ["toycoder tools s", ["show", "search"]],
    ["toycoder run --output j", ["json"]],
    ["toycoder run --output-", ["--output-schema"]],
    ["toycoder run --file o", ["other.txt"]],
  ])("in fish: %s", async (line, expected) => {
    using folder = tempWorkspace({ ...files, script: await scriptFor("fish") });
    const lines = run(
      "fish",
      ["--no-config", "-c", "source script; complete -C $argv[1]", line],
      folder.root,
    );
    expect(lines.map((one) => one.split("\t")[0] ?? "").toSorted()).toEqual(expected.toSorted());
  });

  it.skipIf(!has("zsh"))("is read by zsh, and registered", async () => {
    using folder = tempWorkspace({ script: await scriptFor("zsh") });
    const body =
      "autoload -U compinit; compinit -D -u; source ./script; print $_comps[toycoder]; which _toycoder";
    const lines = run("zsh", ["-fc", body], folder.root);
    expect(lines[0]).toBe("_toycoder");
    expect(lines.join("\n")).toContain("--output");
  });

  it.each([
    [[], "for which shell?"],
    [["fihs"], "did you mean fish?"],
    [["bash", "zsh"], "there are no completions for bash zsh"],
  ])("%j is wrong use: exit 2", async (args, message) => {
    using folder = tempWorkspace();
    const { code, stderr } = await runToycoder(["completions", ...args], { cwd: folder.root });
    expect([code, stderr]).toEqual([2, expect.stringContaining(message)]);
  });
});
