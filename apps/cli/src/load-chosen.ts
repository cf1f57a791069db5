import { type LoadedConfig, loadConfig, personFile } from "@toycoder/config";
import { isSetupError } from "@toycoder/core";
import { UsageError } from "./usage-error.ts";

/** What the flags say of the config. */
export interface Choice {
  cwd: string;
  file: string | undefined;
  profile: string | undefined;
  env: NodeJS.ProcessEnv;
}

/** Loads the config and the person's defaults. A profile that is not there is wrong use of the command. */
export async function loadChosen({ cwd, file, profile, env }: Choice): Promise<LoadedConfig> {
  try {
    return await loadConfig({
      cwd,
      env,
      person: personFile(env),
      ...(file !== undefined && { file }),
      ...(profile !== undefined && { profile }),
    });
  } catch (error) {
    if (!isSetupError(error) || error.code !== "profile_not_found") throw error;
    throw new UsageError(`--profile: ${error.message}`, error.hint);
  }
}

/** Which values are a person's own: a run on another machine has others. */
export function personsShare({ person, sources }: LoadedConfig): string {
  const places = [...sources].filter(([place, source]) => source === "person" && place !== "$schema");
  return `${places.map(([place]) => place).join(", ") || "nothing"} from ${person}`;
}
