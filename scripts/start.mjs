// `npm start`: build, then the main job on a copy of a small project with a failing test. Further arguments go to
// `toycoder run`: `npm start -- --model auto` does the same task with the model of a key that is set.
import { spawnSync } from "node:child_process";
import { cpSync, mkdtempSync, realpathSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { turbo } from "./turbo.mjs";

const root = path.resolve(import.meta.dirname, "..");
const example = path.join(root, "examples/fix-failing-test");
const toycoder = path.join(root, "apps/cli/dist/bin.js");
const TASK = "A test of this project fails. Find the fault, fix it, and push the result.";

/** The exit code of the copy's own tests, run without the agent. */
function runTests(cwd) {
  return spawnSync(process.execPath, ["--test"], { cwd, stdio: "ignore" }).status;
}

function say(line) {
  console.error(line);
}

function main(args) {
  const built = turbo(["run", "//#compile", "bundle", "--output-logs=errors-only"]);
  if (built !== 0) return built;

  const folder = realpathSync(mkdtempSync(path.join(tmpdir(), "toycoder-start-")));
  try {
    cpSync(path.join(example, "project"), folder, { recursive: true });
    const before = runTests(folder);
    say(`\nA copy of examples/fix-failing-test/project; its tests ${before === 0 ? "pass" : "fail"}.`);
    const model = args.includes("--model")
      ? []
      : ["--model", `replay:${path.join(example, "cassette.jsonl")}`];
    const command = ["run", TASK, "--cwd", folder, ...model, ...args];
    const { status } = spawnSync(process.execPath, [toycoder, ...command], { stdio: "inherit" });
    const after = runTests(folder);
    say(`\nIts tests ${after === 0 ? "pass" : "fail"} now; toycoder ended with exit code ${status}.`);
    if (status !== 0) return status ?? 1;
    if (before === 0 || after !== 0) {
      say("The tests should have failed before and passed after the run.");
      return 1;
    }
    say(NEXT);
    return 0;
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

const NEXT = `
That was a recorded model on real tools. For a task of your own, with a key set (ANTHROPIC_API_KEY or OPENAI_API_KEY):

  npm start -- --model auto                                   the same task with a real model
  node_modules/.bin/toycoder run "explain this project" --cwd PATH_TO_A_PROJECT
  node_modules/.bin/toycoder run --help
`;

process.exitCode = main(process.argv.slice(2));
