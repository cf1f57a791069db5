// What action.yml runs: `toycoder run` with the action's inputs, its files in RUNNER_TEMP, and the step's outputs.
// Only what Node has, and only what Node 20 takes: runners start it with theirs.
import { spawn } from "node:child_process";
import { appendFileSync, mkdtempSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { findNode } from "./find-node.mjs";
import { install } from "./install.mjs";
import { readInputs } from "./read-inputs.mjs";

/** By writing to these files, or reading these, a program that the agent starts could change the steps after it. */
const KEPT_BACK = /^(INPUT_.*|GITHUB_ENV|GITHUB_PATH|GITHUB_STATE)$/;

async function main(env) {
  const { task, args, model, config, folder, patch, version, command } = readInputs(env);
  const temp = mkdtempSync(path.join(env.RUNNER_TEMP || tmpdir(), "toycoder-"));
  const file = (name) => path.join(temp, name);
  const state = env.TOYCODER_STATE_DIR || file("state");
  if (task !== "") writeFileSync(file("task.md"), task);
  const given = [
    `--cwd=${folder}`,
    `--result=${file("result.json")}`,
    ...(config === "" ? [] : [`--config=${config}`]),
    ...(model === "" ? [] : [`--model=${model}`]),
    ...(patch ? [`--patch=${file("toycoder.patch")}`] : []),
    ...(task === "" ? [] : [`--file=${file("task.md")}`]),
    ...args,
  ];
  const node = findNode(env);
  const own = Object.fromEntries(Object.entries(env).filter(([name]) => !KEPT_BACK.test(name)));
  const bin = command ?? install(version, file("npm"), own);
  const exitCode = await run(node, [bin, "run", ...given], folder, { ...own, TOYCODER_STATE_DIR: state });
  const hasResult = isFilled(file("result.json"));
  output(env, {
    "exit-code": exitCode,
    "result-file": hasResult ? file("result.json") : "",
    patch: isFilled(file("toycoder.patch")) ? file("toycoder.patch") : "",
    "state-dir": state,
    ...(!hasResult && { status: "none" }),
  });
  if (!hasResult) say("error", `toycoder ended with exit code ${exitCode} and without a result: see the log`);
  return exitCode;
}

/** Runs to the exit code; a signal goes on to the child, which stops its tools and says how far it came. */
function run(program, args, cwd, env) {
  return new Promise((resolve, reject) => {
    const child = spawn(program, args, { cwd, env, stdio: ["ignore", "inherit", "inherit"] });
    for (const signal of ["SIGINT", "SIGTERM"]) process.on(signal, () => child.kill(signal));
    child.on("error", reject);
    child.on("exit", (code) => resolve(code ?? 1));
  });
}

const isFilled = (file) => (statSync(file, { throwIfNoEntry: false })?.size ?? 0) > 0;

/** None of these values has a line end in it. */
function output(env, values) {
  if (!env.GITHUB_OUTPUT) return;
  const lines = Object.entries(values).map(([name, value]) => `${name}=${value}\n`);
  try {
    appendFileSync(env.GITHUB_OUTPUT, lines.join(""));
  } catch (error) {
    console.error(`toycoder: the step's outputs could not be written: ${error.message}`);
  }
}

function say(level, message) {
  const escaped = message.replaceAll("%", "%25").replaceAll("\r", "%0D").replaceAll("\n", "%0A");
  console.error(`::${level} title=toycoder::${escaped}`);
}

try {
  process.exitCode = await main(process.env);
} catch (error) {
  say("error", error.message);
  process.exitCode = 2;
}
