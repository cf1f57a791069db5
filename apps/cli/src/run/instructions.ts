import { projectInstructions, systemPrompt } from "@toycoder/agent";
import type { ParsedFlags } from "../flags.ts";
import type { Io } from "../io.ts";
import type { SetUp } from "../set-up.ts";

/**
 * The system prompt of a run: the facts, AGENTS.md unless `--no-instructions`, the config's and the plugins' words.
 * `notes` say what was left out. `attended`: a person is there to approve and to answer.
 */
export function instructionsOf(
  ready: SetUp,
  flags: ParsedFlags,
  io: Io,
  attended = false,
): { instructions: string; notes: readonly string[] } {
  const { loaded, workspace, policy, plugins } = ready;
  const project = flags.has("no-instructions")
    ? { text: "", notes: [] }
    : projectInstructions(workspace.root, io.cwd);
  const instructions = systemPrompt({
    workspace: workspace.root,
    date: new Date().toISOString().slice(0, 10),
    platform: process.platform,
    attended,
    policy,
    instructions: [
      project.text,
      loaded.config.instructions,
      ...plugins.map(({ parts }) => parts.instructions ?? ""),
    ],
  });
  return { instructions, notes: project.notes };
}
