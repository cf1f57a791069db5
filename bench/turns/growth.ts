import { execFileSync } from "node:child_process";
import { statSync } from "node:fs";
import path from "node:path";
import { callOf, type Scenario, scriptOf, workFor } from "../agent-run/scenario.ts";
import { makeFile } from "../files/make-file.ts";
import { makeTree } from "../search/make-tree.ts";
import { addTools } from "./many-tools.ts";

/** One size of what grows. */
export interface Case {
  scenario: Scenario;
  rounds: number;
  /** Whether the bare loop can do the same. */
  besideFloor: boolean;
  /** The workspace stays as it is: made once, for all rounds. */
  kept?: boolean;
}

export const GROWTHS: Readonly<Record<string, () => Case[]>> = {
  turns: () =>
    [10, 100, 1000, 2000].map((turns) => ({
      scenario: workFor(turns),
      rounds: turns > 100 ? 1 : 3,
      besideFloor: true,
    })),
  tools: () => [8, 100, 1000].map((tools) => ({ scenario: withTools(tools), rounds: 3, besideFloor: false })),
  tree: () =>
    [1000, 50_000, 200_000].map((files) => ({
      scenario: inTree(files),
      rounds: 3,
      besideFloor: true,
      kept: true,
    })),
  file: () =>
    // The bare loop reads a file into one string, and Node has none of 1 GB.
    (
      [
        ["1 MB", 1e6],
        ["50 MB", 5e7],
        ["1 GB", 2 ** 30],
      ] as const
    ).map(([name, size]) => ({
      scenario: inFile(name, size),
      rounds: 3,
      besideFloor: size <= LARGEST_EDIT,
    })),
};

/** Ten turns of work in a workspace with so many tools, of which the model calls the built-in ones. */
function withTools(tools: number): Scenario {
  const work = workFor(10);
  return {
    ...work,
    name: `${tools} tools`,
    fill(root) {
      work.fill(root);
      addTools(root, tools);
    },
  };
}

function inTree(files: number): Scenario {
  return {
    ...scriptOf(`${files} files`, [
      { ...callOf("grep_search", { pattern: "needle" }), holds: "needle in the hay" },
      { ...callOf("grep_search", { pattern: "not in any file" }), holds: "" },
      { ...callOf("run_command", { command: "echo done" }), holds: "done" },
      { ...callOf("read_file", { path: "area0/part0/unit0/file0.ts" }), holds: "alpha" },
    ]),
    fill(root) {
      makeTree(root, files);
      execFileSync("git", ["init", "--quiet"], { cwd: root });
    },
    check: () => undefined,
  };
}

const FILE = "large.txt";
/** In bytes; the lines have numbers of up to eight digits. */
const LONGEST_LINE = 68;

/** edit_file refuses larger files. */
const LARGEST_EDIT = 256 * 2 ** 20;

/** Reads a page near the end of a file, and edits a line in its middle. */
function inFile(name: string, size: number): Scenario {
  const last = Math.floor(size / LONGEST_LINE) - 200;
  const old_string = `line ${last >> 1} of a file`;
  const new_string = `line ${last >> 1} of this file`;
  const read = { ...callOf("read_file", { path: FILE, offset: last, limit: 100 }), holds: `line ${last} of` };
  const edit = { ...callOf("edit_file", { path: FILE, old_string, new_string }), holds: "" };
  const edits = size <= LARGEST_EDIT;
  let expected = 0;
  return {
    ...scriptOf(name, edits ? [read, edit] : [read]),
    fill(root) {
      makeFile(path.join(root, FILE), size);
      expected = statSync(path.join(root, FILE)).size + (edits ? new_string.length - old_string.length : 0);
    },
    check(root) {
      if (statSync(path.join(root, FILE)).size !== expected) throw new Error(`${name}: it was not edited`);
    },
  };
}
