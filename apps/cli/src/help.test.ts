import { tempWorkspace } from "@toycoder/testing";
import { expect, it } from "vitest";
import type { Command } from "./command.ts";
import { commandHelp } from "./help.ts";
import { widthOf } from "./render/text-width.ts";
import { runToycoder } from "./test-support/run-toycoder.ts";

async function helpOf(...args: string[]): Promise<string> {
  using folder = tempWorkspace();
  const { code, stdout } = await runToycoder(args, { cwd: folder.root });
  expect(code).toBe(0);
  return stdout;
}

it("shows an example for every command", async () => {
  const overview = await helpOf("--help");
  const names = [...overview.matchAll(/^ {2}([a-z]+)(?: .*)? {3}\S/gm)].map(([, name = ""]) => name);
  expect(names).toEqual(expect.arrayContaining(["run", "chat", "tools", "completions"]));
  for (const name of names.filter((one) => one !== "toycoder")) {
    const help = await helpOf(name, "--help");
    expect(help.slice(help.indexOf("\n"))).toContain(`toycoder ${name}`);
    expect(await helpOf("help", name)).toBe(help);
  }
});

const command: Command = {
  usage: "[task]",
  summary: "does it, and tells what it does in a summary that is longer than a terminal of sixty columns",
  details: "Exit codes: 0 done, 2 wrong use, and some more that make this line one that must be broken.",
  flags: {
    output: {
      value: "FORMAT",
      choices: ["a", "b"],
      help: "what goes to stdout, in so many words as there are",
    },
  },
  run: async () => 0,
};

it.each([40, 60, 80])("keeps within a terminal of %i columns", (columns) => {
  for (const line of commandHelp("x", command, columns).split("\n"))
    expect(widthOf(line)).toBeLessThanOrEqual(columns);
});

it.each([
  [["rum", "x"], "did you mean run?"],
  [["help", "chta"], "did you mean chat?"],
  [["run", "x", "--modle", "m"], "did you mean --model?"],
  [["run", "x", "--output", "jsno"], "did you mean json?"],
  [["tools", "serch"], "did you mean search?"],
])("%j gets the nearest word: exit 2", async (args, hint) => {
  using folder = tempWorkspace();
  const { code, stderr } = await runToycoder(args, { cwd: folder.root });
  expect([code, stderr]).toEqual([2, expect.stringContaining(hint)]);
});
