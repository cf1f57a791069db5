import { createWorkspace, type Effect } from "@toycoder/core";
import { tempWorkspace } from "@toycoder/testing";
import { expect } from "vitest";
import { commandEffects } from "../command-effects.ts";

const files = { ".env": "KEY=1", "src/a.ts": "", "src/b.ts": "", "README.md": "", "sub/x.sh": "" };

/** The effects of a command, with paths as a reader would write them: relative to the workspace. */
export async function effectsOf(command: string, workdir = "."): Promise<Effect[]> {
  using workspace = tempWorkspace(files);
  const { root, roots, resolve } = createWorkspace({ root: workspace.root });
  const effects = await commandEffects(command, workdir, { workspace: { root, roots, resolve }, resolve });
  return JSON.parse(JSON.stringify(effects).replaceAll(`${root}/`, "").replaceAll(root, ".")) as Effect[];
}

/** The effects that run something. */
export const execsOf = async (command: string): Promise<Extract<Effect, { kind: "exec" }>[]> =>
  (await effectsOf(command)).filter((effect) => effect.kind === "exec");

/** The words of each command, or "opaque" where one of them is. */
export async function wordsOf(command: string): Promise<readonly (readonly string[])[] | "opaque"> {
  const execs = await execsOf(command);
  const opaque = execs.filter((exec) => exec.opaque === true);
  for (const { argv, reason } of opaque) {
    expect(argv).toHaveLength(1);
    expect(reason).toMatch(/\w/);
  }
  return opaque.length > 0 ? "opaque" : execs.map((exec) => exec.argv);
}
