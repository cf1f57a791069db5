import { isSetupError, type Model } from "@toycoder/core";
import type { SkippedTool } from "@toycoder/core/wire";
import type { ParsedFlags } from "../flags.ts";
import type { Io } from "../io.ts";
import { createModel } from "../models.ts";
import type { SetUp } from "../set-up.ts";
import { UsageError } from "../usage-error.ts";
import type { LogFile } from "./log-file.ts";
import type { Notices } from "./notices.ts";

/** The model of `--model`, else of the config. Throws a UsageError for a flag that names none. */
export async function chooseModel(
  { loaded, workspace, providers }: SetUp,
  flags: ParsedFlags,
  io: Io,
  notices: Notices,
  log?: LogFile,
): Promise<Model> {
  const loose = flags.has("replay-loose");
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
    const model = await createModel(choice, flags.get("base-url"), {
      env: io.env,
      folder: folder || workspace.root,
      providers,
      onSkipped,
      ...(log && { wrapFetch: log.wrapFetch }),
      ...(loose && { onDeparture: (departure) => notices.tell("replay_departure", departure) }),
    });
    if (loose && !model.id.startsWith("replay:")) {
      throw new UsageError("--replay-loose needs a cassette to play", "name one: --model replay:FILE");
    }
    return model;
  } catch (error) {
    if (given === undefined || !isSetupError(error) || error.code !== "invalid_model") throw error;
    throw new UsageError(`--model: ${error.message}`, error.hint);
  }
}
