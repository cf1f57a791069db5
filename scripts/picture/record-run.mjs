// The main job of `npm start`, as it looks at a terminal.
import { spawnSync } from "node:child_process";
import { closeSync, cpSync, mkdtempSync, openSync, readFileSync, realpathSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";

const root = path.resolve(import.meta.dirname, "../..");
const example = path.join(root, "examples/fix-failing-test");
const TASK = "A test of this project fails. Find the fault, fix it, and push the result.";

/** Runs the built command on the example's recording, and gives what it printed, colours included, with its command. */
export function recordRun() {
  const home = realpathSync(mkdtempSync(path.join(tmpdir(), "toycoder-picture-")));
  try {
    const shop = path.join(home, "shop");
    cpSync(path.join(example, "project"), shop, { recursive: true });
    cpSync(path.join(example, "cassette.jsonl"), path.join(home, "cassette.jsonl"));
    const output = openSync(path.join(home, "output"), "a");
    const args = ["run", TASK, "--model", "replay:../cassette.jsonl"];
    const { status } = spawnSync(process.execPath, [path.join(root, "apps/cli/dist/bin.js"), ...args], {
      cwd: shop,
      // One file for both streams keeps their lines in order, as a terminal does.
      stdio: ["ignore", output, output],
      env: {
        PATH: process.env.PATH,
        HOME: home,
        TMPDIR: home,
        FORCE_COLOR: "1",
        TOYCODER_STATE_DIR: path.join(home, "state"),
      },
    });
    closeSync(output);
    const printed = readFileSync(path.join(home, "output"), "utf8").replaceAll(home, "/tmp");
    return `\u001b[90m$\u001b[39m toycoder run "${TASK}" \\\n    --model replay:../cassette.jsonl\n${printed}\u001b[90m$\u001b[39m echo $?\n${status}\n`;
  } finally {
    rmSync(home, { recursive: true, force: true });
  }
}
