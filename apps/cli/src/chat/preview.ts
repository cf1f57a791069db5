import { readFileSync } from "node:fs";
import { createPatch } from "diff";
import type { Session } from "@toycoder/core";

/** A diff that takes longer is left out. */
const TIME_MS = 500;

/**
 * What a call would change, as a unified diff: of the whole file where the arguments hold its content, else of the
 * replaced texts. Undefined where the arguments are of another form.
 */
export function previewChange(input: unknown, session: Pick<Session, "resolve">): string | undefined {
  if (typeof input !== "object" || input === null || !("path" in input)) return undefined;
  const { path: name } = input;
  if (typeof name !== "string") return undefined;
  if ("content" in input && typeof input.content === "string")
    return patch(name, textOf(session.resolve(name).real), input.content);
  const edits = "edits" in input && Array.isArray(input.edits) ? (input.edits as unknown[]) : [input];
  const patches = edits.map((edit) => editPatch(name, edit));
  return patches.every((one) => one !== undefined) ? patches.join("\n") : undefined;
}

function editPatch(name: string, edit: unknown): string | undefined {
  if (typeof edit !== "object" || edit === null) return undefined;
  if (!("old_string" in edit) || typeof edit.old_string !== "string") return undefined;
  const after = "new_string" in edit && typeof edit.new_string === "string" ? edit.new_string : "";
  return patch(name, edit.old_string, after)?.replaceAll(/^@@ .*$/gm, "@@");
}

/** Without the lines of git that say nothing to a person. */
function patch(name: string, before: string, after: string): string | undefined {
  return createPatch(name, before, after, "", "", { context: 3, timeout: TIME_MS })
    ?.split("\n")
    .filter((line) => !/^(?:Index: |=+$|\\ No newline)/.test(line))
    .join("\n")
    .trimEnd();
}

function textOf(file: string): string {
  try {
    return readFileSync(file, "utf8");
  } catch {
    return "";
  }
}
