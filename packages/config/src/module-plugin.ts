import {
  definePlugin,
  isPlugin,
  isPluginFactory,
  isTool,
  type Plugin,
  type PluginFactory,
  SetupError,
  type Tool,
} from "@toycoder/core";
import type { PluginReference } from "./plugin-entry.ts";

const API = 1;

/** A module that may hold a plugin, or tools. */
export type PluginModule = Readonly<Record<string, unknown>>;

/**
 * The plugin that a module brings: its default export, else its only export that is a factory or a plugin, else
 * (with `wrapAs`) its tools in a plugin of that name. Throws a SetupError `plugin_failed`.
 */
export function modulePlugin(module: PluginModule, reference: PluginReference, wrapAs?: string): Plugin {
  const found = pluginExport(module);
  if (found !== undefined) return withOptions(found, reference);
  const tools = wrapAs === undefined ? [] : toolExports(module);
  if (wrapAs === undefined || tools.length === 0) {
    const names = Object.keys(module).join(", ") || "nothing";
    const wanted =
      wrapAs === undefined
        ? "no plugin (definePlugin)"
        : "no plugin (definePlugin) and no tools (defineTool)";
    throw failed(`it exports ${names}, but ${wanted}`);
  }
  const bundle = definePlugin({ name: wrapAs, version: "0.0.0", api: API, setup: () => ({ tools }) });
  return withOptions(bundle, reference);
}

/** Applies the options of a reference. Throws a SetupError `plugin_failed` for a foreign API or misplaced options. */
export function withOptions(found: Plugin | PluginFactory<never>, { options }: PluginReference): Plugin {
  if (isFactory(found)) {
    checkApi(found.pluginName, found.api);
    return found(options as undefined);
  }
  checkApi(found.name, found.api);
  if (options === undefined) return found;
  throw failed(`${found.name} has been called already, so it takes no options here; give them in its call`);
}

const isFactory = (found: Plugin | PluginFactory<never>): found is PluginFactory<never> =>
  isPluginFactory(found);

function checkApi(name: string, api: number): void {
  if (api === API) return;
  const way = api > API ? "update toycoder" : `update the plugin ${name}`;
  throw new SetupError(
    "plugin_failed",
    `the plugin ${name} is made for plugin API ${api}; this version has ${API}`,
    {
      hint: way,
    },
  );
}

function pluginExport(module: PluginModule): Plugin | PluginFactory<never> | undefined {
  const isOne = (value: unknown): value is Plugin | PluginFactory<never> =>
    isPlugin(value) || isPluginFactory(value);
  if (isOne(module.default)) return module.default;
  const named = new Map<Plugin | PluginFactory<never>, string>();
  for (const [name, value] of Object.entries(module)) if (isOne(value)) named.set(value, name);
  if (named.size > 1) {
    throw failed(
      `it exports ${named.size} plugins (${[...named.values()].join(", ")}) and none of them as default`,
    );
  }
  return [...named.keys()][0];
}

/** Tools among the exports, and in lists of them, each once. */
function toolExports(module: PluginModule): Tool[] {
  const values = Object.values(module).flatMap((value): unknown[] =>
    Array.isArray(value) ? value : [value],
  );
  return [...new Set(values.filter(isTool))];
}

const failed = (message: string): SetupError => new SetupError("plugin_failed", message);
