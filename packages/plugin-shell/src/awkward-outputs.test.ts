import { readFileSync } from "node:fs";
import { textOf } from "@toycoder/core";
import { tempWorkspace, toolBench } from "@toycoder/testing";
import { expect, test } from "vitest";
import { createRunCommand } from "./run-command.ts";

const x = (count: number): string => "x".repeat(count);
const WHERE = "session:call_1-output.txt, to be read with read_file";

interface Case {
  what: string;
  command: string;
  workdir?: string;
  timeout?: number;
  /** All that the model gets; `D` stands for a duration. */
  shown: string;
  /** What the session keeps. */
  kept?: string | Uint8Array;
}

const CASES: readonly Case[] = [
  { what: "no output", command: "true", shown: "[exit 0 · D]\n(no output)" },
  { what: "a failure without a word", command: "false", shown: "[exit 1 · D]\n(no output)" },
  {
    what: "both streams, in the order of writing",
    command: "echo 1; echo 2 >&2; echo 3; echo 4 >&2",
    shown: "[exit 0 · D]\n1\n2\n3\n4",
  },
  { what: "no line end", command: "printf 'a\\n\\n\\nb'", shown: "[exit 0 · D]\na\n\n\nb" },
  {
    what: "a character split over writes",
    command: String.raw`printf '\xf0\x9f'; sleep 0.05; printf '\x98\x80\n'`,
    shown: "[exit 0 · D]\n😀",
  },
  {
    what: "bytes that are no UTF-8",
    command: String.raw`printf 'caf\xe9\n'`,
    shown: "[exit 0 · D]\ncaf\ufffd",
  },
  {
    what: "binary output",
    command: String.raw`printf '\x7fELF\x00\x01\x02\xff'`,
    shown: `[exit 0 · D]\n[binary output, 8 bytes; the whole is ${WHERE}]`,
    kept: new Uint8Array([0x7f, 0x45, 0x4c, 0x46, 0, 1, 2, 255]),
  },
  {
    what: "one huge line",
    command: `head -c 100000 /dev/zero | tr '\\0' x`,
    shown: `[exit 0 · D]\n${x(4000)}\n[… 90200 of 100000 characters left out, 0 lines in all; the whole is ${WHERE} …]\n${x(5800)}`,
    kept: x(100_000),
  },
  {
    what: "more than is kept",
    command: `head -c 300000 /dev/zero | tr '\\0' x`,
    shown: `[exit 0 · D]\n${x(4000)}\n[… 290200 of 300000 characters left out, 0 lines in all; the first 200000 bytes are ${WHERE} …]\n${x(5800)}`,
    kept: x(200_000),
  },
  {
    what: "colours, titles and links",
    command: String.raw`printf '\e[1;31mred\e[0m \e]0;title\a\e]8;;http://x\e\\link\e]8;;\e\\\n'`,
    shown: "[exit 0 · D]\nred link",
  },
  {
    what: "a progress bar",
    command: String.raw`for i in 1 50 100; do printf "\r\e[K[%3d%%]" $i; done; echo; echo built`,
    shown: "[exit 0 · D]\n[100%]\nbuilt",
  },
  {
    what: "a spinner that ends without a line end",
    command: String.raw`printf '|\b/\b-\bdone'`,
    shown: "[exit 0 · D]\ndone",
  },
  { what: "Windows line ends", command: String.raw`printf 'a\r\nb\r\n'`, shown: "[exit 0 · D]\na\nb" },
  { what: "the end by a signal", command: "echo a; kill -SEGV $$", shown: "[ended by SIGSEGV · D]\na" },
  {
    what: "the end of the last program by a signal",
    command: "sh -c 'kill -KILL $$'; exit $?",
    shown: "[exit 137 (128 + SIGKILL) · D]\nbash: line 1: P Killed                  sh -c 'kill -KILL $$'",
  },
  {
    what: "a command that isn't there",
    command: "no-such-command",
    shown: "[exit 127 · D]\nbash: line 1: no-such-command: command not found",
  },
  {
    what: "a file that isn't a program",
    command: "./notes.txt",
    shown: "[exit 126 · D]\nbash: line 1: ./notes.txt: Permission denied",
  },
  {
    what: "a workdir that isn't there",
    command: "true",
    workdir: "none",
    shown:
      "Error (not_found): the workdir none does not exist\nHint: workdir is relative to the workspace's folder",
  },
  {
    what: "a question",
    command: "read -p 'Continue? ' answer; echo $?; cat",
    shown: "[exit 0 · D]\n1",
  },
  {
    what: "a password prompt on the terminal",
    command: "(: </dev/tty); (: >/dev/tty)",
    shown:
      "[exit 1 · D]\nbash: line 1: /dev/tty: No such device or address\nbash: line 1: /dev/tty: No such device or address",
  },
  {
    what: "the output until the limit",
    command: "echo a; printf b; sleep 99",
    timeout: 0.5,
    shown:
      "Error (timeout): the command was stopped at its limit of 0.5 s. Its output until then:\na\nb\nHint: if it only needs longer, give a larger timeout (up to 3600 s); nothing can answer its questions",
  },
  {
    what: "nothing until the limit",
    command: "sleep 99",
    timeout: 0.2,
    shown:
      "Error (timeout): the command was stopped at its limit of 0.2 s. It had no output.\nHint: if it only needs longer, give a larger timeout (up to 3600 s); nothing can answer its questions",
  },
];

test.each(CASES)(
  "what the model gets: $what",
  async ({ command, workdir = ".", timeout = 20, shown, kept }) => {
    using workspace = tempWorkspace({ "notes.txt": "" });
    const tool = createRunCommand({ timeoutSeconds: 20, maxOutputBytes: 200_000, shell: "/bin/bash" });
    const bench = toolBench([tool], { root: workspace.root });
    const result = await bench.call("run_command", { command, workdir, timeout });
    const text = textOf(result.content)
      .replace(/ · \d+(?:\.\d+)? s\]/, " · D]")
      .replaceAll("/bin/bash: line", "bash: line")
      .replace(/(?<=line 1: ) *\d+(?= Killed)/, "P");
    expect(text).toBe(shown);
    if (kept !== undefined) {
      const file = readFileSync(bench.session.resolve("session:call_1-output.txt").absolute);
      expect(file.equals(Buffer.from(kept))).toBe(true);
    }
    bench.session.dispose();
  },
);
