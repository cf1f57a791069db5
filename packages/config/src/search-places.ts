/** The config file names that are searched in each folder, in this order. */
export const SEARCH_PLACES: readonly string[] = [
  "toycoder.config.ts",
  "toycoder.config.js",
  "toycoder.config.mjs",
  "toycoder.config.json",
  ".toycoderrc",
  ".toycoderrc.json",
  ".toycoderrc.yaml",
];

/** How a config file's content is read, by its extension; no extension means YAML, of which JSON is a part. */
export const FORMATS: ReadonlyMap<string, "module" | "json" | "yaml"> = new Map([
  [".ts", "module"],
  [".mts", "module"],
  [".js", "module"],
  [".mjs", "module"],
  [".cjs", "module"],
  [".json", "json"],
  [".yaml", "yaml"],
  [".yml", "yaml"],
  ["", "yaml"],
]);
