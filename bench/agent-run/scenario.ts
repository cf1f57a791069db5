import { execFileSync } from "node:child_process";
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import path from "node:path";
import type { Answer } from "../../apps/cli/src/test-support/answer.ts";

/** A task in a workspace, the answers of the model, and what must come of them. */
export interface Scenario {
  name: string;
  answers: readonly Answer[];
  /** For each answer with a call: the tool, and a text that its result must hold. */
  expected: readonly { tool: string; holds: string }[];
  /** Makes the workspace in an empty folder. */
  fill(root: string): void;
  /** Throws where a file isn't as it should be in the end. */
  check(root: string): void;
}

const MODULES = 25;
const SLOTS = 8;
const DONE: Answer = { text: "All of it is done." };

const two = (number: number): string => String(number).padStart(2, "0");
const fileOf = (module: number): string => `src/part${two(module)}.ts`;
const slotName = (module: number, slot: number): string => `slot${two(module)}x${slot}`;
const slotLine = (module: number, slot: number, value: string): string =>
  `export const ${slotName(module, slot)} = "${value}";`;

function moduleText(module: number): string {
  const lines = [`// part ${two(module)} of the workspace`, `import { join } from "node:path";`, ""];
  for (let slot = 0; slot < SLOTS; slot++) lines.push(slotLine(module, slot, "first"));
  for (let name = 0; name < 6; name++)
    lines.push(
      "",
      `export function join${two(module)}x${name}(a: string, b: string): string {`,
      "  // puts both beneath a folder of this part",
      `  return join("${two(module)}-${name}", a, b);`,
      "}",
    );
  return `${lines.join("\n")}\n`;
}

/** Says hello: no tool is called. */
export const hello: Scenario = {
  name: "hello",
  answers: [{ text: "Hello there." }],
  expected: [],
  fill: fillSmall,
  check: () => undefined,
};

/** So many turns with a tool call each, and the last word: read, edit, search and run in turn, over 25 small files. */
export function workFor(turns: number): Scenario {
  const files = Array.from({ length: MODULES }, (_, module) => moduleText(module));
  const values = new Map<string, string>();
  const calls = Array.from({ length: turns }, (_, turn) => {
    const round = turn >> 2;
    const module = round % MODULES;
    const slot = (round >> 1) % SLOTS;
    const name = slotName(module, slot);
    const file = fileOf(module);
    if (turn % 4 === 0) return { ...callOf("read_file", { path: file }), holds: `part ${two(module)}` };
    if (turn % 4 === 1) {
      const old_string = slotLine(module, slot, values.get(name) ?? "first");
      const new_string = slotLine(module, slot, `in turn ${turn}`);
      values.set(name, `in turn ${turn}`);
      files[module] = (files[module] ?? "").replace(old_string, new_string);
      return { ...callOf("edit_file", { path: file, old_string, new_string }), holds: "" };
    }
    if (turn % 4 === 2) return { ...callOf("grep_search", { pattern: name }), holds: file };
    const lines = (files[module] ?? "").split("\n").length - 1;
    return { ...callOf("run_command", { command: `wc -l ${file} # ${turn}` }), holds: `${lines} ${file}` };
  });
  return {
    ...scriptOf(`${turns} turns`, calls),
    fill: fillSmall,
    check(root) {
      for (const [module, text] of files.entries())
        if (readFileSync(path.join(root, fileOf(module)), "utf8") !== text)
          throw new Error(`${fileOf(module)} is not what the edits make of it`);
    },
  };
}

export interface ScriptedCall {
  answer: Answer;
  tool: string;
  holds: string;
}

export const callOf = (
  name: string,
  args: Readonly<Record<string, unknown>>,
): Omit<ScriptedCall, "holds"> => ({ tool: name, answer: { calls: [{ name, arguments: args }] } });

/** The part of a scenario that these calls make, one in a turn, with the last word after them. */
export const scriptOf = (
  name: string,
  calls: readonly ScriptedCall[],
): Pick<Scenario, "name" | "answers" | "expected"> => ({
  name,
  answers: [...calls.map(({ answer }) => answer), DONE],
  expected: calls.map(({ tool, holds }) => ({ tool, holds })),
});

/** What a project that uses toycoder has. */
const CONFIG = `import { defineConfig } from "toycoder";

export default defineConfig({
  plugins: ["files", "search", "shell", "question"],
  permissions: { levels: { sensitive: "allow" }, deny: ["read:.env*", "exec:git push *"] },
});
`;

/** A git repository with 25 small files and a config. */
export function fillSmall(root: string): void {
  writeFileSync(path.join(root, "toycoder.config.ts"), CONFIG);
  mkdirSync(path.join(root, "src"), { recursive: true });
  writeFileSync(path.join(root, "README.md"), "# A small workspace\n");
  for (let module = 0; module < MODULES; module++)
    writeFileSync(path.join(root, fileOf(module)), moduleText(module));
  execFileSync("git", ["init", "--quiet"], { cwd: root });
}
