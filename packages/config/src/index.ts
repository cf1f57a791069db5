export {
  defineConfig,
  type ModelConfig,
  type PermissionsConfig,
  type PluginEntry,
  type PolicyTest,
  type ToycoderConfig,
} from "./define-config.ts";
export { checkConfig, loadConfig, type LoadConfigOptions, type LoadedConfig } from "./load-config.ts";
export { DEFAULT_PLUGINS, type ResolvedConfig } from "./resolve-config.ts";
export { protectedPaths } from "./protected-paths.ts";
export { type PluginImporter, resolvePlugins, type ResolvePluginsOptions } from "./resolve-plugins.ts";
export { disposePlugins, setupPlugins, type SetUpPlugin } from "./setup-plugins.ts";
export { SEARCH_PLACES } from "./search-places.ts";
export type { ImportModule } from "./read-config.ts";
export type { PluginModule } from "./module-plugin.ts";
