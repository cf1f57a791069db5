import path from "node:path";
import { SetupError } from "@toycoder/core";
import { checkShape } from "./check-shape.ts";
import { CONFIG_SHAPE } from "./config-shape.ts";
import type { ToycoderConfig } from "./define-config.ts";
import { createReader, type ImportModule } from "./read-config.ts";
import { type ResolvedConfig, resolveConfig } from "./resolve-config.ts";
import { type ConfigProblem, describeValue, isObject } from "./shape.ts";

export interface LoadConfigOptions {
  /** Where the search starts, upward; a relative `file` starts here too. */
  cwd: string;
  /** The config file; nothing is searched then, and it must exist. */
  file?: string;
  /** For `${VAR}`. Default: the process's environment. */
  env?: NodeJS.ProcessEnv;
  /** Imports a config that is a module. Default: Node's own import, which strips types. */
  importModule?: ImportModule;
}

/** A config, and where it came from. */
export interface LoadedConfig {
  /** Absolute; undefined where there is no config and the defaults hold. */
  file: string | undefined;
  /** The folder that relative paths of the config start at: the file's, else `cwd`. */
  folder: string;
  config: ResolvedConfig;
  /** Environment variables that hold credentials or went into headers: never to be passed on or shown. */
  secretVariables: readonly string[];
}

/**
 * Finds, reads and checks the config; without one, the defaults hold. A module's code runs.
 * Throws a SetupError, `config_not_found` for a named file that is not there, else `config_invalid`, with the file
 * and every problem with its place.
 */
export async function loadConfig(options: LoadConfigOptions): Promise<LoadedConfig> {
  const {
    env = process.env,
    importModule = async (url: string) => (await import(url)) as Record<string, unknown>,
  } = options;
  const cwd = path.resolve(options.cwd);
  const reader = await createReader(importModule);
  const found =
    options.file === undefined
      ? await reader.search(cwd)
      : await reader.read(path.resolve(cwd, options.file));
  const { file, value } = found ?? { file: undefined, value: {} };
  const config = checkConfig(value, file ?? "the config");
  const { problems, ...resolved } = resolveConfig(config, env);
  if (problems.length > 0) throw invalid(file ?? "the config", problems);
  return { file, folder: file === undefined ? cwd : path.dirname(file), ...resolved };
}

/** Checks a value that should be a config. Throws a SetupError `config_invalid` with every problem. */
export function checkConfig(value: unknown, source: string): ToycoderConfig {
  if (!isObject(value)) {
    const hint = "the config is an object: export default defineConfig({ … })";
    throw new SetupError("config_invalid", `${source}: expected a config, got ${describeValue(value)}`, {
      hint,
    });
  }
  const problems = checkShape(value, CONFIG_SHAPE);
  if (problems.length > 0) throw invalid(source, problems);
  return value;
}

function invalid(source: string, problems: readonly ConfigProblem[]): SetupError {
  const lines = problems.map(({ place, message }) => `${place}: ${message}`);
  const [only] = lines;
  const text =
    lines.length === 1 ? `${source}: ${only}` : `${source}:\n${lines.map((line) => `  ${line}`).join("\n")}`;
  return new SetupError("config_invalid", text);
}
