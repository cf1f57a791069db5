import { type Model, SetupError } from "@toycoder/core";
import type { ModelSettings } from "@toycoder/core/wire";

/** A model with the id `provider:model`. Throws a SetupError `invalid_model` where the settings name none. */
export function createModel(provider: string, settings: ModelSettings, stream: Model["stream"]): Model {
  const { model, contextWindow } = settings;
  if (typeof model !== "string" || model.trim() === "") {
    throw new SetupError("invalid_model", `${provider}: the settings name no model`, {
      hint: `write it after the provider: ${provider}:MODEL`,
    });
  }
  return { id: `${provider}:${model}`, ...(contextWindow !== undefined && { contextWindow }), stream };
}
