import { spawnSync } from "node:child_process";
import { tempWorkspace } from "@toycoder/testing";
import { expect, test } from "vitest";
import { hidesCommands } from "./wrappers.ts";
import { readSimpleCommand } from "./simple-command.ts";

const COUNT = process.env.TOYCODER_SOAK === "1" ? 10_000 : 400;
const SEED = 20_260_101;

const PIECES = [
  ..."show,mark,a,b c,x=1,CI=1,FOO=1,~,-n,--,/dev/null,./a,é,日本".split(","),
  ...'\'a b\',"c d",\'\',\'"\',"\'",\\\',\\",\\\\,\\ ,\\a,\'\\\',"\\$","\\\\","\\a"'.split(","),
  ...'$X,${X},$(mark),`mark`,"$(mark)",$((1)),$\'a\',$"a",{a},{,},{1..2}'.split(","),
  ...";|&|&&|\\|\\||(|)|<(mark)|>out|2>&1|>/dev/null|</dev/null|&>/dev/null|>&2|<<<x|!|#|#x".split("|"),
  "{a,b}",
  "|",
  "||",
  "\n",
  "\\\n",
  "\t",
  "[a]",
  "?",
  "time",
  "if",
  "[[",
  "]]",
  "=",
  ",",
  ":",
  "@",
  "%",
  "^",
  "+",
];

/** A small seeded generator (mulberry32). */
function seeded(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296;
  };
}

/** bash reads each text in a folder whose only programs log their words. Gives the logged words, text by text. */
function readByBash(texts: readonly string[], root: string): string[][][] {
  const script = `
    show() { printf '%s\\0' show "$@" >&9; printf '\\1\\0' >&9; }
    mark() { printf '%s\\0' mark "$@" >&9; printf '\\1\\0' >&9; }
    command_not_found_handle() { printf '%s\\0' "$@" >&9; printf '\\1\\0' >&9; }
    export -f show mark command_not_found_handle
    while IFS= read -r -d '' text; do
      PATH=/nowhere "$BASH" -c -- "$text" 9>&9 >/dev/null 2>&1 </dev/null
      printf '\\2\\0' >&9
    done`;
  const run = spawnSync("/bin/bash", ["-c", script], {
    cwd: root,
    input: texts.map((text) => `${text}\0`).join(""),
    stdio: ["pipe", "ignore", "inherit", "ignore", "ignore", "ignore", "ignore", "ignore", "ignore", "pipe"],
    maxBuffer: 1 << 28,
    env: { HOME: "/nowhere", LANG: "C.UTF-8" },
  });
  const logged = run.output[9]?.toString() ?? "";
  return logged.split("\u0002\0").map((one) =>
    one
      .split("\u0001\0")
      .slice(0, -1)
      .map((words) => words.split("\0").slice(0, -1)),
  );
}

test(`what is read as one command is what bash runs (${COUNT} texts, seed ${SEED})`, async () => {
  using workspace = tempWorkspace();
  const random = seeded(SEED);
  const texts: string[] = [];
  const expected: string[][] = [];
  for (let tries = 0; expected.length < COUNT && tries < COUNT * 200; tries++) {
    const length = 1 + Math.floor(random() * 7);
    let text = random() < 0.8 ? "show" : "";
    for (let at = 0; at < length; at++) {
      text += (random() < 0.6 ? " " : "") + (PIECES[Math.floor(random() * PIECES.length)] ?? "");
    }
    const read = await readSimpleCommand(text);
    if ("opaque" in read || read.words.some((word) => word.glob || word.tilde)) continue;
    const argv = read.words.map((word) => word.value);
    if (hidesCommands(argv) !== undefined || argv[0]?.includes("/") === true || argv[0] === "[") continue;
    texts.push(text);
    expected.push(argv);
  }
  expect(expected.length).toBe(COUNT);
  const logged = readByBash(texts, workspace.root);
  const ran = expected.map((argv, index) => ({ text: texts[index], argv, ran: logged[index] ?? [] }));
  // Builtins run unseen, and a redirection to a descriptor that isn't there runs nothing.
  const seen = ran.filter((one) => one.ran.length > 0);
  expect(seen.filter((one) => JSON.stringify(one.ran) !== JSON.stringify([one.argv]))).toEqual([]);
  expect(seen.length).toBeGreaterThan(COUNT * 0.9);
});
