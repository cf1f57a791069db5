import { type AnswerSchema, answerSchema } from "@toycoder/agent";
import type { LoadedConfig } from "@toycoder/config";
import { isSetupError, messageOf, SetupError } from "@toycoder/core";
import type { Io } from "../io.ts";
import { UsageError } from "../usage-error.ts";
import { readInputFile } from "./input-file.ts";

const LIMIT = { maxBytes: 5_000_000, tooLong: "no model takes a schema of this size" };

/**
 * The schema of the final answer: of the file that `--output-schema` names, else of the config. Throws a UsageError
 * for a file that holds none that can be used, a SetupError for such a config.
 */
export async function chooseOutputSchema(
  file: string | undefined,
  { config, file: configFile }: LoadedConfig,
  io: Io,
): Promise<AnswerSchema | undefined> {
  if (file !== undefined) return await schemaOfFile(file, io);
  if (config.outputSchema === undefined) return undefined;
  try {
    return await answerSchema(config.outputSchema);
  } catch (error) {
    const { hint } = isSetupError(error) ? error : { hint: undefined };
    throw new SetupError(
      "config_invalid",
      `${configFile ?? "the config"}: outputSchema: ${messageOf(error)}`,
      {
        cause: error,
        ...(hint !== undefined && { hint }),
      },
    );
  }
}

async function schemaOfFile(file: string, io: Io): Promise<AnswerSchema> {
  const bytes = await readInputFile("--output-schema", file, io, LIMIT);
  try {
    return await answerSchema(JSON.parse(bytes.toString("utf8").replace(/^\ufeff/, "")));
  } catch (error) {
    throw new UsageError(
      `--output-schema ${file}: ${messageOf(error)}`,
      isSetupError(error) ? error.hint : "the file holds a JSON Schema, as JSON",
    );
  }
}
