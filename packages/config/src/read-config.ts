import { existsSync, lstatSync, readdirSync, statSync } from "node:fs";
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
  /** The file's text. */
  content: string;
}

/** Reads config files; errors are SetupErrors (`config_not_found`, `config_invalid`) that name the file. */
export interface ConfigReader {
  /** The first config file in `folder` or above it. */
  search(folder: string): Promise<ReadConfig | undefined>;
  read(file: string): Promise<ReadConfig>;
}

/** Nobody writes that much; whatever it is, it is not read. */
const MOST_BYTES = 1024 * 1024;

interface Holder {
  value: unknown;
  content: string;
}

interface Found {
  filepath: string;
  /** Undefined for an empty file. */
  config: Holder | undefined;
}

/** The part of cosmiconfig that is used here; its own declarations leave it out. */
interface Explorer {
  search(folder: string): Promise<Found | null>;
  load(file: string): Promise<Found | null>;
}

interface ExplorerModule {
  Explorer: new (options: Readonly<Record<string, unknown>>) => Explorer;
}

/**
 * cosmiconfig's explorer, loaded where there is a config file. It is used directly, one folder at a time: the
 * package's entry would first look for settings of its own in the working folder (and run a `.config/config.js`
 * there), which could name config files that no protection knows.
 */
async function loadExplorer(importModule: ImportModule, moduleMs: number): Promise<Explorer> {
  const { Explorer } = (await import("cosmiconfig/dist/Explorer.js")) as unknown as ExplorerModule;
  const loaders: Readonly<Record<"module" | "json" | "yaml", (file: string, text: string) => unknown>> = {
    module: moduleLoader(importModule, moduleMs),
    json: async (file, text) => (await import("cosmiconfig/dist/loaders.js")).loadJson(file, text),
    yaml: async (file, text) => (await import("cosmiconfig/dist/loaders.js")).loadYaml(file, text),
  };
  return new Explorer({
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
            const text = content.replace(/^\ufeff/, "");
            if (text.includes("\0")) throw notText(file);
            return { value: await loaders[format](file, text), content: text };
          } catch (error) {
            throw isSetupError(error) ? error : explainLoadError(error, file, content);
          }
        },
      ]),
    ),
  });
}

/** A reader on cosmiconfig. */
export function createReader(importModule: ImportModule, moduleMs: number): ConfigReader {
  let loaded: Promise<Explorer> | undefined;
  const explorer = (): Promise<Explorer> => (loaded ??= loadExplorer(importModule, moduleMs));
  const take = (found: Found): ReadConfig => {
    if (found.config === undefined) throw isEmpty(found.filepath);
    return { file: found.filepath, ...found.config };
  };

  return {
    async search(folder) {
      for (let at = path.resolve(folder); ; at = path.dirname(at)) {
        const first = SEARCH_PLACES.map((name) => path.join(at, name)).find(isThere);
        if (first !== undefined) {
          checkFile(first);
          const found = await (await explorer()).search(at);
          if (found !== null) return take(found);
          // The explorer passes over what it may not open: a config that is there must never be passed over.
          throw new SetupError("config_invalid", `${first}: the file cannot be read`, {
            hint: "see that you may read it, and that it is no link to nowhere",
          });
        }
        if (at === path.dirname(at)) return undefined;
      }
    },
    async read(file) {
      checkNamed(file);
      const found = await (await explorer()).load(file).catch((error: unknown) => {
        if (isSetupError(error)) throw error;
        throw new SetupError("config_invalid", `${file}: the file cannot be read: ${messageOf(error)}`);
      });
      if (found === null) throw isEmpty(file);
      return take(found);
    },
  };
}

/** Whether something is there that is to be read. An empty folder is not: a sandbox holds names free with such. */
function isThere(file: string): boolean {
  const stats = lstatSync(file, { throwIfNoEntry: false });
  return stats !== undefined && !(stats.isDirectory() && isEmptyFolder(file));
}

function isEmptyFolder(folder: string): boolean {
  try {
    return readdirSync(folder).length === 0;
  } catch {
    return false;
  }
}

function moduleLoader(importModule: ImportModule, ms: number): (file: string) => Promise<unknown> {
  return async (file) => {
    const { pathToFileURL } = await import("node:url");
    const { realpath } = await import("node:fs/promises");
    const url = pathToFileURL(await realpath(file)).href;
    // The timer also keeps the process up while the module waits for something that never comes.
    let timer: NodeJS.Timeout | undefined;
    const late = new Promise<never>((_, reject) => {
      timer = setTimeout(() => reject(tooSlow(file, ms)), ms);
    });
    const loaded = importModule(url).then(async (module) => ({ module, value: await module.default }));
    const { module, value } = await Promise.race([loaded, late]).finally(() => clearTimeout(timer));
    if (Object.hasOwn(module, "default")) return value;
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
  checkFile(file);
  if (!FORMATS.has(path.extname(file))) {
    const known = [...FORMATS.keys()].filter((extension) => extension !== "").join(", ");
    throw new SetupError("config_invalid", `${file}: a config file ends in ${known} or has no extension`);
  }
}

/** Refuses what is there, and is no file that a person wrote. */
function checkFile(file: string): void {
  const found = statSync(file, { throwIfNoEntry: false });
  if (found?.isDirectory() === true) {
    throw new SetupError("config_not_found", `${file} is a folder, not a config file`, {
      hint: "give the folder another name, or name the file in it: --config FILE",
    });
  }
  if (found !== undefined && found.size > MOST_BYTES) {
    const size = (found.size / 1024 / 1024).toFixed(1);
    throw new SetupError("config_invalid", `${file}: ${size} MB is no config; it may have 1 MB`, {
      hint: "see that it is the right file: --config FILE names another",
    });
  }
}

const tooSlow = (file: string, ms: number): SetupError =>
  new SetupError("config_invalid", `${file}: the module is not done after ${ms / 1000} seconds`, {
    hint: "see what it awaits",
  });

const isEmpty = (file: string): SetupError =>
  new SetupError("config_invalid", `${file}: the file is empty`, {
    hint: "write a config into it (toycoder init --force does), or take it away: then the defaults hold",
  });

const notText = (file: string): SetupError =>
  new SetupError("config_invalid", `${file}: the file is not UTF-8 text`, { hint: "save it as UTF-8" });
