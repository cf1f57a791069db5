import {
  isSetupError,
  isTool,
  messageOf,
  type Plugin,
  type PluginContext,
  type PluginParts,
  SetupError,
} from "@toycoder/core";

/** A plugin and what it brought. */
export interface SetUpPlugin {
  plugin: Plugin;
  parts: PluginParts;
}

/** Which plugins may be left out, and who is told of one that is. */
export interface SetupPluginsOptions {
  isOptional?: (plugin: Plugin) => boolean;
  onLeftOut?: (error: SetupError) => void;
}

/**
 * Sets plugins up in their order; registering their tools is the caller's. When one fails, those before it are
 * disposed of again, unless it may be left out. Throws a SetupError (`plugin_options` or `plugin_failed`) that names
 * the plugin.
 */
export async function setupPlugins(
  plugins: readonly Plugin[],
  ctx: PluginContext,
  { isOptional, onLeftOut }: SetupPluginsOptions = {},
): Promise<SetUpPlugin[]> {
  const done: SetUpPlugin[] = [];
  for (const plugin of plugins) {
    try {
      const parts = await plugin.setup(ctx);
      done.push({ plugin, parts });
      checkParts(parts);
    } catch (error) {
      if (isOptional?.(plugin) === true) {
        const at = done.findIndex((one) => one.plugin === plugin);
        if (at !== -1) await disposePlugins(done.splice(at));
        onLeftOut?.(named(plugin, error));
        continue;
      }
      await disposePlugins(done);
      throw named(plugin, error);
    }
  }
  return done;
}

/** Disposes of plugins, last set up first. One that fails doesn't keep the others. */
export async function disposePlugins(plugins: readonly SetUpPlugin[]): Promise<void> {
  for (const { parts } of plugins.toReversed()) {
    try {
      await parts?.dispose?.();
    } catch {
      // The run is over: there is nothing left that this could change.
    }
  }
}

function checkParts(parts: unknown): void {
  const tools =
    typeof parts === "object" && parts !== null ? (Reflect.get(parts, "tools") as unknown) : undefined;
  if (!Array.isArray(tools)) throw new SetupError("plugin_failed", "its setup gives no list of tools");
  const wrong = tools.findIndex((tool) => !isTool(tool));
  if (wrong !== -1) throw new SetupError("plugin_failed", `its tools[${wrong}] was not made by defineTool`);
}

function named({ name }: Plugin, error: unknown): SetupError {
  if (isSetupError(error) && error.message.startsWith(`plugin ${name}: `)) return error;
  const { code, hint } = isSetupError(error) ? error : { code: "plugin_failed", hint: undefined };
  return new SetupError(code, `plugin ${name}: ${messageOf(error)}`, {
    cause: error,
    ...(hint === undefined ? {} : { hint }),
  });
}
