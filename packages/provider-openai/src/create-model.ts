import { type Model, SetupError } from "@toycoder/core";
import type { ModelFacts, ModelSettings } from "@toycoder/core/wire";
import { configuredBaseURL } from "./client.ts";

/**
 * A model with the id `provider:model`. Throws a SetupError `invalid_model` where the settings name none, or a base
 * URL that is no address.
 */
export function createModel(
  provider: string,
  settings: ModelSettings,
  facts: ModelFacts,
  stream: Model["stream"],
): Model {
  const { model } = settings;
  if (typeof model !== "string" || model.trim() === "") {
    throw new SetupError("invalid_model", `${provider}: the settings name no model`, {
      hint: `write it after the provider: ${provider}:MODEL`,
    });
  }
  configuredBaseURL(settings);
  return { id: `${provider}:${model}`, ...facts, stream };
}
