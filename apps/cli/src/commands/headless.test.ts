import { existsSync, symlinkSync } from "node:fs";
import type { RunResult } from "@toycoder/agent";
import { tempWorkspace } from "@toycoder/testing";
import { describe, expect, it } from "vitest";
import { ALL_TOOLS, cassette } from "../test-support/cassette.ts";
import { runToycoder } from "../test-support/run-toycoder.ts";

const command = (text: string) => ({ name: "run_command", arguments: { command: text } });
const write = (path: string) => ({ name: "write_file", arguments: { path, content: "changed\n" } });

async function run(cwd: string, more: readonly string[]): Promise<RunResult> {
  const args = [
    "run",
    "x",
    "--model",
    "replay:c.jsonl",
    "--enable",
    "run_command",
    "--output",
    "json",
    ...more,
  ];
  return JSON.parse((await runToycoder(args, { cwd })).stdout) as RunResult;
}

describe("with nobody there", () => {
  it("what asks is refused at once, each with its rules; with exactly those, the run completes", async () => {
    const turns = [
      {
        calls: [
          write("a.txt"),
          command("echo one > b.txt"),
          command("cat a.txt | tee c.txt"),
          write("d/e.txt"),
        ],
      },
      { calls: [command("echo two && touch f.txt")] },
      { text: "Done." },
    ];
    using folder = tempWorkspace({ "c.jsonl": await cassette(turns, ALL_TOOLS), "a.txt": "" });
    const first = await run(folder.root, []);
    expect(first).toMatchObject({ exitCode: 6, status: "denied", turns: 3, toolCalls: 5, changes: [] });
    expect(first.denials.map(({ code }) => code)).toEqual(Array(5).fill("approval_required"));
    for (const name of ["b.txt", "c.txt", "d", "f.txt"]) expect(existsSync(folder.path(name))).toBe(false);

    const rules = first.denials.flatMap(({ suggestions }) => suggestions);
    expect(first.denials.every(({ suggestions }) => suggestions.length > 0)).toBe(true);
    const second = await run(
      folder.root,
      rules.flatMap((rule) => ["--allow", rule]),
    );
    expect(second).toMatchObject({ exitCode: 0, status: "completed", denials: [] });
    expect(folder.read("d/e.txt")).toBe("changed\n");

    // Nothing that was allowed once outlives its run.
    expect(await run(folder.root, [])).toMatchObject({ exitCode: 6 });
  });

  it("the config cannot be changed: not by a tool, the shell, or through a link", async () => {
    const calls = [
      write("toycoder.config.json"),
      write("link.json"),
      write("folder/toycoder.config.json"),
      write(".git/hooks/pre-commit"),
      write(".toycoderrc"),
      command("echo x > toycoder.config.json"),
      command("cp a.txt toycoder.config.json"),
      command('printf x > "$PWD/.git/config"'),
      command("cat a.txt > link.json"),
      command("sed -i s/a/b/ toycoder.config.json"),
    ];
    const config = '{ "permissions": { "onAsk": "allow" } }\n';
    using folder = tempWorkspace({
      "c.jsonl": await cassette([{ calls }, { text: "Done." }], ALL_TOOLS),
      "toycoder.config.json": config,
      "a.txt": "a\n",
      ".git/config": "[core]\n",
    });
    symlinkSync("toycoder.config.json", folder.path("link.json"));
    symlinkSync(".", folder.path("folder"));
    const result = await run(folder.root, ["--deny", "exec:sed *"]);
    expect(result.denials.map(({ code }) => code)).toEqual(Array(calls.length).fill("permission_denied"));
    expect(folder.read("toycoder.config.json")).toBe(config);
    expect(folder.read(".git/config")).toBe("[core]\n");
    expect(existsSync(folder.path(".toycoderrc"))).toBe(false);
  });
});
