import { isSetupError, type Model } from "@toycoder/core";
import type { SkippedTool } from "@toycoder/core/wire";
import type { ParsedFlags } from "../flags.ts";
import type { Io } from "../io.ts";
import { createModel } from "../models.ts";
import type { SetUp } from "../set-up.ts";
import { UsageError } from "../usage-error.ts";
import type { Notices } from "./notices.ts";

/** The model of `--model`, else of the config. Throws a UsageError for a flag that names none. */
export async function chooseModel(
  { loaded, workspace }: SetUp,
  flags: ParsedFlags,
  io: Io,
  notices: Notices,
): Promise<Model> {
  const told = new Set<string>();
  const onSkipped = (skipped: readonly SkippedTool[]): void => {
    for (const { name, error } of skipped) {
      if (told.has(name)) continue;
      told.add(name);
      notices.tell("tool_skipped", `the tool ${name} is not offered to the model: ${error.message}`);
    }
  };
  const given = flags.get("model");
  const folder = given === undefined ? loaded.folder : io.cwd;
  try {
    const choice = given ?? loaded.config.model;
    return await createModel(choice, flags.get("base-url"), {
      env: io.env,
      folder: folder || workspace.root,
      onSkipped,
    });
  } catch (error) {
    if (given === undefined || !isSetupError(error) || error.code !== "invalid_model") throw error;
    throw new UsageError(`--model: ${error.message}`, error.hint);
  }
}
