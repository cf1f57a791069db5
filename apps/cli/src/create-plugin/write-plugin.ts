import { existsSync, mkdirSync, readdirSync, writeFileSync } from "node:fs";
import path from "node:path";
import { messageOf, SetupError } from "@toycoder/core";
import { UsageError } from "../usage-error.ts";

/** What may be in the folder of a new plugin already. */
const KEPT: ReadonlySet<string> = new Set([".git", ".DS_Store"]);

/** Throws a UsageError where the folder holds something: nothing is ever written over. */
export function refuseFull(folder: string): void {
  if (!existsSync(folder)) return;
  let names: string[];
  try {
    names = readdirSync(folder);
  } catch {
    throw new UsageError(`${folder} is no folder`, "name another: --dir FOLDER");
  }
  const [first] = names.filter((name) => !KEPT.has(name));
  if (first !== undefined)
    throw new UsageError(
      `${folder} is not empty: there is ${first}`,
      "nothing is written over; name another: --dir FOLDER",
    );
}

/** Writes the files of a new plugin into a folder that is new or empty. */
export function writePlugin(folder: string, files: Readonly<Record<string, string>>): void {
  refuseFull(folder);
  try {
    for (const [name, text] of Object.entries(files)) {
      const file = path.join(folder, name);
      mkdirSync(path.dirname(file), { recursive: true });
      writeFileSync(file, text, { flag: "wx" });
    }
  } catch (error) {
    throw new SetupError("plugin_failed", `${folder} cannot be written: ${messageOf(error)}`);
  }
}
