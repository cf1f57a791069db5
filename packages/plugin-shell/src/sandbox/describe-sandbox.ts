import type { Sandbox } from "./sandbox.ts";

/** What is in force, for people. */
export function describeSandbox({ mode, network, found }: Sandbox): string {
  if (mode === "off") return "off";
  if (!("problem" in found)) return `bubblewrap ${found.version}, ${network ? "with network" : "no network"}`;
  return mode === "required"
    ? `required, but ${found.problem}: no command runs`
    : `none, since ${found.problem}: commands run without`;
}

/** What is in force, for the model. */
export function sandboxInstructions({ mode, network, found }: Sandbox): string {
  if ("problem" in found) {
    return mode === "required"
      ? "run_command's sandbox is missing: no command runs."
      : "run_command has no sandbox.";
  }
  const more = network ? "" : ", and there is no network";
  return `run_command runs in a sandbox: only the workspace and /tmp (empty at each call) can be written${more}.`;
}
