import { existsSync } from "node:fs";
import path from "node:path";
import { nearest, SetupError } from "@toycoder/core";
import { checkShape } from "./check-shape.ts";
import { CONFIG_SHAPE, PERSON_SHAPE } from "./config-shape.ts";
import type { ToycoderConfig } from "./define-config.ts";
import { invalidConfig } from "./locate-problems.ts";
import { type Layer, mergeLayers, type Source } from "./merge-layers.ts";
import { type ConfigReader, createReader, type ImportModule, type ReadConfig } from "./read-config.ts";
import { DEFAULT_PLUGINS, type ResolvedConfig, resolveConfig } from "./resolve-config.ts";
import { FORMATS } from "./search-places.ts";
import { type ConfigProblem, describeValue, isObject, type Shape } from "./shape.ts";

/** Where a config is loaded from, and what is put over it. */
export interface LoadConfigOptions {
  /** Where the search starts, upward; a relative `file` starts here too. */
  cwd: string;
  /** The config file; nothing is searched then, and it must exist. */
  file?: string;
  /** The profile to put over the config. */
  profile?: string;
  /** A person's defaults, which hold where the config says nothing (`personFile`); it need not exist. */
  person?: string;
  /** For `${VAR}`. Default: the process's environment. */
  env?: NodeJS.ProcessEnv;
  /** Imports a config that is a module. Default: Node's own import, which strips types. */
  importModule?: ImportModule;
  /** How long a config that is a module may take. Default: a minute. */
  moduleMs?: number;
}

/** A config, and where it came from. */
export interface LoadedConfig {
  /** Absolute; undefined where there is no config and the defaults hold. */
  file: string | undefined;
  /** The folder that relative paths of the config start at: the file's, else `cwd`. */
  folder: string;
  /** The person's defaults that were read; undefined where there are none. */
  person: string | undefined;
  profile: string | undefined;
  config: ResolvedConfig;
  /** Place (`limits.turns`, `permissions.deny[2]`) → what set the value; one that is not there is the default. */
  sources: ReadonlyMap<string, Source>;
  /** Environment variables that hold credentials or went into headers: never to be passed on or shown. */
  secretVariables: readonly string[];
}

/**
 * Finds, reads and checks the config, puts it over the person's defaults and the profile over it; without any of
 * them, the defaults hold. A module's code runs.
 * Throws a SetupError: `config_not_found` for a named file that is not there, `profile_not_found`, else
 * `config_invalid`, with the file and every problem with its place.
 */
export async function loadConfig(options: LoadConfigOptions): Promise<LoadedConfig> {
  const {
    env = process.env,
    importModule = async (url: string) => (await import(url)) as Record<string, unknown>,
    moduleMs = 60_000,
  } = options;
  const cwd = path.resolve(options.cwd);
  const reader = createReader(importModule, moduleMs);
  const found =
    options.file === undefined
      ? await reader.search(cwd)
      : await reader.read(path.resolve(cwd, options.file));
  const config = checkRead(found, CONFIG_SHAPE);
  const person = await readPerson(options.person, found?.file, reader);
  const { profiles, ...own } = config;
  const profile = profileOf(profiles, options.profile, found?.file);
  const layers: Layer[] = [{ source: "person", value: checkRead(person, PERSON_SHAPE) }];
  layers.push({ source: "config", value: own });
  if (profile !== undefined) {
    // A profile adds to the plugins that hold without it.
    if (own.plugins === undefined && profile.plugins !== undefined) {
      layers.push({ source: "config", value: { plugins: DEFAULT_PLUGINS } });
    }
    layers.push({ source: "profile", value: profile });
  }
  const { value, sources } = mergeLayers(layers);
  const { problems, ...resolved } = resolveConfig(value, env);
  if (problems.length > 0) throw unresolved(problems, sources, found, person, options.profile);
  return {
    file: found?.file,
    folder: found === undefined ? cwd : path.dirname(found.file),
    person: person?.file,
    profile: options.profile,
    sources,
    ...resolved,
  };
}

async function readPerson(
  file: string | undefined,
  config: string | undefined,
  reader: ConfigReader,
): Promise<ReadConfig | undefined> {
  if (file === undefined || file === config || !existsSync(file)) return undefined;
  return await reader.read(file);
}

function profileOf(
  profiles: ToycoderConfig["profiles"] = {},
  name: string | undefined,
  file: string | undefined,
): ToycoderConfig | undefined {
  if (name === undefined) return undefined;
  if (Object.hasOwn(profiles, name)) return profiles[name];
  const names = Object.keys(profiles);
  const [near] = nearest(name, names, 1);
  const known = names.length === 0 ? "it has no profiles" : `profiles are ${names.join(", ")}`;
  throw new SetupError(
    "profile_not_found",
    file === undefined
      ? `there is no config, and so no profile ${JSON.stringify(name)}`
      : `${file} has no profile ${JSON.stringify(name)}`,
    { hint: near === undefined ? known : `did you mean ${near}?` },
  );
}

/** Variables that are not set, in the file that names them. */
function unresolved(
  problems: readonly ConfigProblem[],
  sources: ReadonlyMap<string, Source>,
  found: ReadConfig | undefined,
  person: ReadConfig | undefined,
  profile: string | undefined,
): SetupError {
  const sourceOf = ({ place }: ConfigProblem): Source | undefined =>
    [...sources].find(([key]) => place === key || place.startsWith(`${key}.`))?.[1];
  const source = problems[0] === undefined ? undefined : sourceOf(problems[0]);
  const read = source === "person" ? person : found;
  const placed = problems
    .filter((problem) => sourceOf(problem) === source)
    .map(({ place, message }) => ({
      place: source === "profile" ? `profiles.${profile}.${place}` : place,
      message,
    }));
  return invalidConfig(read?.file ?? "the config", placed, read?.content);
}

const checkRead = (read: ReadConfig | undefined, shape: Shape): ToycoderConfig =>
  read === undefined ? {} : checkValue(read.value, shape, read.file, read.content);

/** Checks a value that should be a config. Throws a SetupError `config_invalid` with every problem. */
export const checkConfig = (value: unknown, source: string): ToycoderConfig =>
  checkValue(value, CONFIG_SHAPE, source);

function checkValue(value: unknown, shape: Shape, source: string, content?: string): ToycoderConfig {
  if (!isObject(value)) {
    const hint =
      typeof value === "function"
        ? "export what it gives: export default make(); a Promise is waited for"
        : FORMATS.get(path.extname(source)) === "module"
          ? "the config is an object: export default defineConfig({ … })"
          : "the config is an object with keys such as model and permissions";
    throw new SetupError("config_invalid", `${source}: expected a config, got ${describeValue(value)}`, {
      hint,
    });
  }
  const problems = checkShape(value, shape);
  if (problems.length > 0) throw invalidConfig(source, problems, content);
  return value;
}
