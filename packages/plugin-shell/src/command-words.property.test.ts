import { spawnSync } from "node:child_process";
import { createWorkspace } from "@toycoder/core";
import { tempWorkspace } from "@toycoder/testing";
import { expect, test } from "vitest";
import { commandEffects } from "./command-effects.ts";
import { seeded } from "./test-support/seeded.ts";

const COUNT = process.env.TOYCODER_SOAK === "1" ? 10_000 : 200;
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
  ..."$(show a),`mark b`,{ ,; },;mark,then mark,do mark;,fi,done,in a,esac,case a in a),f(),<<E\nx\nE,for x in a;,while mark;".split(
    ",",
  ),
];

/**
 * bash reads each text in a folder whose only programs log their words. Gives the logged words, text by text; `cat`
 * waits for what runs in the background.
 */
function readByBash(texts: readonly string[], root: string): string[][][] {
  const script = `
    show() { printf '%s\\0' show "$@" $'\\1' >&9; }
    mark() { printf '%s\\0' mark "$@" $'\\1' >&9; }
    command_not_found_handle() { printf '%s\\0' "$@" $'\\1' >&9; }
    export -f show mark command_not_found_handle
    while IFS= read -r -d '' text; do
      PATH=/nowhere "$BASH" -c -- "$text" 9>&1 >/dev/null 2>&1 </dev/null | /bin/cat >&9
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

test(`what is read as commands is what bash runs (${COUNT} texts, seed ${SEED})`, async () => {
  using workspace = tempWorkspace();
  const { root, roots, resolve } = createWorkspace({ root: workspace.root });
  const context = { workspace: { root, roots, resolve }, resolve };
  const random = seeded(SEED);
  const texts: string[] = [];
  const expected: string[][][] = [];
  for (let tries = 0; expected.length < COUNT && tries < COUNT * 200; tries++) {
    const length = 1 + Math.floor(random() * 8);
    let text = random() < 0.8 ? "show" : "";
    for (let at = 0; at < length; at++) {
      text += (random() < 0.6 ? " " : "") + (PIECES[Math.floor(random() * PIECES.length)] ?? "");
    }
    const effects = await commandEffects(text, ".", context, { environment: { HOME: "/nowhere" } });
    const execs = effects.filter((effect) => effect.kind === "exec");
    if (execs.length === 0 || execs.some((exec) => exec.opaque === true)) continue;
    // Programs with a path aren't logged, wildcards stand for what is there, and nothing outside may be touched.
    if (execs.some(({ argv }) => argv[0]?.includes("/") === true || /[*?[]/.test(argv.join("")))) continue;
    if (effects.some((effect) => effect.kind === "write" && !resolve(effect.path).inside)) continue;
    texts.push(text);
    expected.push(execs.map((exec) => [...exec.argv]));
  }
  expect(expected.length).toBe(COUNT);
  const logged = readByBash(texts, workspace.root);
  const ran = expected.map((known, index) => ({ text: texts[index], known, ran: logged[index] ?? [] }));
  // Builtins run unseen, and a redirection to a descriptor that isn't there runs nothing.
  const seen = ran.filter((one) => one.ran.length > 0);
  const describe = (argv: readonly string[]): string =>
    JSON.stringify(argv)
      .replaceAll("/nowhere", "~")
      .replaceAll(/fd\/\d+/g, "fd/63");
  const wrong = seen.filter(({ known, ran }) => {
    const all = new Set(known.map(describe));
    return !ran.every((argv) => all.has(describe(argv)));
  });
  expect(wrong).toEqual([]);
  expect(seen.length).toBeGreaterThan(COUNT * 0.8);
});
