import path from "node:path";
import { splitArgs } from "./split-args.mjs";

/** The action's inputs, from the INPUT_ variables that action.yml sets. Throws for what cannot be. */
export function readInputs(env) {
  const input = (name) => env[`INPUT_${name}`]?.trim() ?? "";
  const workspace = env.GITHUB_WORKSPACE || process.cwd();
  const version = input("VERSION");
  // A number, a range or a tag: no address that packages could be taken from.
  const isPath = /^\.{0,2}\//.test(version);
  if (!isPath && !/^[\w.^~<>=*-]*$/.test(version))
    throw new Error(
      `version is a version of toycoder on npm, or the path of an installed command, not ${version}`,
    );
  const patch = input("PATCH");
  if (!["", "true", "false"].includes(patch)) throw new Error(`patch is true or false, not ${patch}`);
  const args = splitArgs(input("ARGS"));
  const task = input("TASK");
  if (task === "" && !args.some((arg) => /^--(resume|file)(=|$)/.test(arg)))
    throw new Error("task is empty: say what is to be done");
  return {
    task,
    args,
    model: input("MODEL"),
    config: input("CONFIG") && path.resolve(workspace, input("CONFIG")),
    folder: path.resolve(workspace, input("WORKING_DIRECTORY")),
    patch: patch === "true",
    version,
    command: isPath ? path.resolve(workspace, version) : undefined,
  };
}
