import type { SetUpPlugin } from "@toycoder/config";
import {
  isModelError,
  isSetupError,
  messageOf,
  type Model,
  type ModelMaker,
  SetupError,
} from "@toycoder/core";
import type { ModelSettings } from "@toycoder/core/wire";

/** A provider that a plugin brings. */
export interface Provider {
  name: string;
  plugin: string;
  make: ModelMaker;
}

export type Providers = ReadonlyMap<string, Provider>;

/**
 * The providers that plugins bring, by name. Throws a SetupError where a name is none, is one of `taken`, or comes
 * from two plugins.
 */
export function pluginProviders(plugins: readonly SetUpPlugin[], taken: readonly string[]): Providers {
  const providers = new Map<string, Provider>();
  for (const { plugin, parts } of plugins) {
    for (const [name, make] of Object.entries(parts.providers ?? {})) {
      const refuse = (problem: string, hint: string): SetupError =>
        new SetupError(
          "plugin_failed",
          `plugin ${plugin.name}: the provider ${JSON.stringify(name)} ${problem}`,
          { hint },
        );
      const other = providers.get(name);
      if (!/^[a-z][a-z0-9-]*$/.test(name))
        throw refuse("has no name for a model", "use small letters, digits and dashes");
      if (taken.includes(name)) throw refuse("is built in", "the plugin has to give it another name");
      if (other !== undefined)
        throw refuse(`is also one of the plugin ${other.plugin}`, "leave one of the two out");
      providers.set(name, { name, plugin: plugin.name, make });
    }
  }
  return providers;
}

/** How the plugin's model is made; what goes wrong is told as the plugin's. */
export const fromPlugin =
  ({ name, plugin, make }: Provider) =>
  async (settings: ModelSettings): Promise<Model> => {
    const failed = (problem: string, cause?: unknown): SetupError =>
      new SetupError("invalid_model", `${name}:${settings.model}, of the plugin ${plugin}: ${problem}`, {
        cause,
      });
    let model: Model;
    try {
      model = await make(settings.model, settings);
    } catch (error) {
      if (isSetupError(error) || isModelError(error)) throw error;
      throw failed(messageOf(error), error);
    }
    if (typeof model?.stream === "function" && typeof model.id === "string") return model;
    throw failed("it gives no model: one has an id and a stream function");
  };
