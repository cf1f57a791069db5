export {
  defineConfig,
  type McpServerEntry,
  type ModelConfig,
  type PermissionsConfig,
  type PluginEntry,
  type PolicyTest,
  type Profile,
  type ToycoderConfig,
} from "./define-config.ts";
export { checkConfig, loadConfig, type LoadConfigOptions, type LoadedConfig } from "./load-config.ts";
export type { Source } from "./merge-layers.ts";
export { personFile } from "./person-file.ts";
export { discoverPlugins } from "./discover-plugins.ts";
export { DEFAULT_PLUGINS, type ResolvedConfig } from "./resolve-config.ts";
export { protectedPaths } from "./protected-paths.ts";
export {
  type PluginImporter,
  type PluginOrigin,
  resolvePlugins,
  type ResolvePluginsOptions,
} from "./resolve-plugins.ts";
export { disposePlugins, setupPlugins, type SetUpPlugin } from "./setup-plugins.ts";
export { SEARCH_PLACES } from "./search-places.ts";
export { placeOf } from "./shape.ts";
export type { ImportModule } from "./read-config.ts";
export type { PluginModule } from "./module-plugin.ts";
