import { existsSync, lstatSync, statSync } from "node:fs";
import path from "node:path";
import { isSetupError, messageOf, SetupError } from "@toycoder/core";
import { explainLoadError } from "./explain-load-error.ts";
import { FORMATS, SEARCH_PLACES } from "./search-places.ts";

/** Imports a module by its URL. */
export type ImportModule = (url: string) => Promise<Readonly<Record<string, unknown>>>;

/** A config file's value, before anything is checked. */
export interface ReadConfig {
  file: string;
  value: unknown;
}

/** Reads config files; errors are SetupErrors (`config_not_found`, `config_invalid`) that name the file. */
export interface ConfigReader {
  /** The first config file in `folder` or above it. */
  search(folder: string): Promise<ReadConfig | undefined>;
  read(file: string): Promise<ReadConfig>;
}

interface Holder {
  value: unknown;
}

interface Found {
  filepath: string;
  /** Undefined for an empty file. */
  config: Holder | undefined;
}

/** The part of cosmiconfig that is used here; its own declarations leave it out. */
type ExplorerClass = new (options: Readonly<Record<string, unknown>>) => {
  search(folder: string): Promise<Found | null>;
  load(file: string): Promise<Found | null>;
};

/**
 * A reader on cosmiconfig. Its explorer is used directly, one folder at a time: the package's entry would first
 * look for settings of its own in the working folder (and run a `.config/config.js` there), which could name
 * config files that no protection knows.
 */
export async function createReader(importModule: ImportModule): Promise<ConfigReader> {
  const [{ Explorer }, { loadJson, loadYaml }] = await Promise.all([
    import("cosmiconfig/dist/Explorer.js") as unknown as Promise<{ Explorer: ExplorerClass }>,
    import("cosmiconfig/dist/loaders.js"),
  ]);
  const loaders = { module: moduleLoader(importModule), json: loadJson, yaml: loadYaml };
  const explorer = new Explorer({
    moduleName: "toycoder",
    searchPlaces: [...SEARCH_PLACES],
    searchStrategy: "none",
    ignoreEmptySearchPlaces: false,
    cache: false,
    mergeImportArrays: false,
    mergeSearchPlaces: false,
    metaConfigFilePath: null,
    transform: (result: unknown) => result,
    // In a holder: cosmiconfig would act on some keys of a bare value ($import).
    loaders: Object.fromEntries(
      [...FORMATS].map(([extension, format]) => [
        extension || "noExt",
        async (file: string, content: string): Promise<Holder> => {
          try {
            return { value: await loaders[format](file, content.replace(/^\ufeff/, "")) };
          } catch (error) {
            throw isSetupError(error) ? error : explainLoadError(error, file, content);
          }
        },
      ]),
    ),
  });

  const take = (found: Found): ReadConfig => {
    if (found.config === undefined)
      throw new SetupError("config_invalid", `${found.filepath}: the file is empty`);
    return { file: found.filepath, value: found.config.value };
  };

  return {
    async search(folder) {
      for (let at = path.resolve(folder); ; at = path.dirname(at)) {
        const found = await explorer.search(at);
        if (found !== null) return take(found);
        // The explorer passes over what it may not open: a config that is there must never be passed over.
        const unread = SEARCH_PLACES.map((name) => path.join(at, name)).find(isFile);
        if (unread !== undefined)
          throw new SetupError("config_invalid", `${unread}: the file cannot be read`);
        if (at === path.dirname(at)) return undefined;
      }
    },
    async read(file) {
      checkNamed(file);
      const found = await explorer.load(file).catch((error: unknown) => {
        if (isSetupError(error)) throw error;
        throw new SetupError("config_invalid", `${file}: the file cannot be read: ${messageOf(error)}`);
      });
      if (found === null) throw new SetupError("config_invalid", `${file}: the file is empty`);
      return take(found);
    },
  };
}

function moduleLoader(importModule: ImportModule): (file: string) => Promise<unknown> {
  return async (file) => {
    const { pathToFileURL } = await import("node:url");
    const { realpath } = await import("node:fs/promises");
    const module = await importModule(pathToFileURL(await realpath(file)).href);
    if (Object.hasOwn(module, "default")) return module.default;
    const names = Object.keys(module);
    const found = names.length === 0 ? "exports nothing" : `exports ${names.join(", ")} and no default`;
    throw new SetupError("config_invalid", `${file}: the module ${found}`, {
      hint: "write `export default defineConfig({ … })`",
    });
  };
}

function checkNamed(file: string): void {
  if (!existsSync(file)) {
    throw new SetupError("config_not_found", `there is no config file ${file}`, {
      hint: `config files are called ${SEARCH_PLACES.join(", ")}`,
    });
  }
  if (!isFile(file)) throw new SetupError("config_not_found", `${file} is a folder, not a config file`);
  if (!FORMATS.has(path.extname(file))) {
    const known = [...FORMATS.keys()].filter((extension) => extension !== "").join(", ");
    throw new SetupError("config_invalid", `${file}: a config file ends in ${known} or has no extension`);
  }
}

/** Also for a link that leads nowhere. */
function isFile(file: string): boolean {
  if (lstatSync(file, { throwIfNoEntry: false }) === undefined) return false;
  return statSync(file, { throwIfNoEntry: false })?.isDirectory() !== true;
}
