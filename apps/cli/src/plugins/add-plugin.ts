import { existsSync, readFileSync, writeFileSync } from "node:fs";
import path from "node:path";
import { DEFAULT_PLUGINS, type PluginEntry, resolvePlugins, SEARCH_PLACES } from "@toycoder/config";
import { messageOf, type Plugin } from "@toycoder/core";
import { BUILTINS } from "../builtins.ts";
import type { ParsedFlags } from "../flags.ts";
import { packageManager } from "../init/test-command.ts";
import type { Io } from "../io.ts";
import { loadChosen } from "../load-chosen.ts";
import { importFrom, resolveToycoder } from "../resolve-toycoder.ts";
import { objectArgument } from "../commands/tool-argument.ts";
import { UsageError } from "../usage-error.ts";
import { version } from "../version.ts";
import { editJson, editYaml } from "./edit-data.ts";
import { type Edit, editModule } from "./edit-module.ts";
import { installPackage } from "./install-package.ts";

/** What `toycoder plugin add --json` prints. */
interface Added {
  schemaVersion: 1;
  plugin: { name: string; version: string };
  entry: PluginEntry;
  installed: boolean;
  config: string | null;
  /** Whether it was written; false also where the plugin was in the config already. */
  edited: boolean;
  present: boolean;
  /** What is left to be written into the config by hand. */
  lines: string[];
}

/** Installs a plugin with the project's package manager, loads it, and puts it into the config. */
export async function addPlugin(flags: ParsedFlags, io: Io): Promise<number> {
  const [, given, ...more] = flags.words;
  if (given === undefined || more.length > 0)
    throw new UsageError(
      "plugin add takes the name of one plugin",
      "toycoder plugin add toycoder-plugin-NAME",
    );
  const cwd = path.resolve(io.cwd, flags.get("cwd") ?? ".");
  const file = configFile(cwd, flags.get("config"), io);
  const folder = file === undefined ? cwd : path.dirname(file);
  const { name, request } = given.startsWith(".") ? localFile(given, cwd, folder) : packageOf(given);
  const options = flags.has("options") ? objectArgument(flags.get("options")) : undefined;
  const isLocal = Object.hasOwn(BUILTINS, name) || name.startsWith(".");
  const installs = !isLocal && !flags.has("no-install");
  if (installs) {
    const manager = packageManager(folder);
    if (manager === undefined)
      throw new UsageError(`there is no package.json in ${folder} to install into`, "npm init -y makes one");
    await installPackage(manager, request, folder, io);
  }
  const entry: PluginEntry = options === undefined ? name : [name, options];
  const plugin = await load(entry, file, folder);
  const edit = file === undefined ? undefined : editConfig(file, entry, namesOf(name));
  const edited = file !== undefined && typeof edit === "object" && (await write(file, edit.text, entry, io));
  const added: Added = {
    schemaVersion: 1,
    plugin: { name: plugin.name, version: plugin.version },
    entry,
    installed: installs,
    config: file ?? null,
    edited,
    present: edit === "present",
    lines: edited || edit === "present" ? [] : lines(entry),
  };
  io.stdout.write(flags.has("json") ? `${JSON.stringify(added, null, 2)}\n` : told(added));
  return 0;
}

/** A path as the config has it: from its own folder. */
function localFile(given: string, cwd: string, folder: string): { name: string; request: string } {
  const way = path.relative(folder, path.resolve(cwd, given)).split(path.sep).join("/");
  return { name: way.startsWith(".") ? way : `./${way}`, request: given };
}

/** The package's name, and what the package manager is asked for: with a version, where one is given. */
function packageOf(given: string): { name: string; request: string } {
  if (Object.hasOwn(BUILTINS, given)) return { name: given, request: given };
  const [, name = "", wanted = ""] = /^(@?[^@]+)(@.+)?$/.exec(given) ?? [];
  if (!/^(?:@[\w.-]+\/)?[\w.-]+$/.test(name))
    throw new UsageError(`${JSON.stringify(given)} is no package's name`);
  const whole =
    name.startsWith("@") || name.startsWith("toycoder-plugin-") ? name : `toycoder-plugin-${name}`;
  return { name: whole, request: `${whole}${wanted}` };
}

/** The names under which a config may have the plugin already. */
const namesOf = (name: string): string[] => [
  name,
  ...(name.startsWith("toycoder-plugin-") ? [name.slice("toycoder-plugin-".length)] : []),
];

function configFile(cwd: string, given: string | undefined, io: Io): string | undefined {
  if (given !== undefined) {
    const file = path.resolve(io.cwd, given);
    if (!existsSync(file)) throw new UsageError(`--config: there is no file ${file}`);
    return file;
  }
  for (let at = cwd; ; at = path.dirname(at)) {
    const found = SEARCH_PLACES.find((name) => existsSync(path.join(at, name)));
    if (found !== undefined) return path.join(at, found);
    if (at === path.dirname(at)) return undefined;
  }
}

/** Loads the plugin as the config will. Throws a SetupError where it can't be: then the config stays as it is. */
async function load(entry: PluginEntry, file: string | undefined, folder: string): Promise<Plugin> {
  resolveToycoder();
  const [plugin] = await resolvePlugins([entry], {
    builtins: BUILTINS,
    importer: importFrom,
    file,
    folder,
    coreVersion: version(),
  });
  if (plugin === undefined) throw new UsageError("that is no plugin");
  return plugin;
}

function editConfig(file: string, entry: PluginEntry, names: readonly string[]): Edit {
  const source = readFileSync(file, "utf8");
  const kind = path.extname(file);
  if (/^\.[cm]?[jt]s$/.test(kind)) return editModule(source, literal(entry), names, DEFAULT_PLUGINS);
  if (kind === ".json" || (kind !== ".yaml" && kind !== ".yml" && source.trimStart().startsWith("{")))
    return editJson(source, entry, names, DEFAULT_PLUGINS);
  return editYaml(source, entry, names, DEFAULT_PLUGINS);
}

/** Writes the config and loads it; one that no longer loads, or lacks the entry, is put back. */
async function write(file: string, text: string, entry: PluginEntry, io: Io): Promise<boolean> {
  const before = readFileSync(file);
  writeFileSync(file, text);
  try {
    const { config } = await loadChosen({ cwd: path.dirname(file), file, profile: undefined, env: io.env });
    if (config.plugins.some((one) => JSON.stringify(one) === JSON.stringify(entry))) return true;
  } catch (error) {
    io.stderr.write(
      `the config does not load with the plugin in it, so it stays as it was: ${messageOf(error)}\n`,
    );
  }
  writeFileSync(file, before);
  return false;
}

/** A value as a formatter would leave it. */
function literal(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(literal).join(", ")}]`;
  if (typeof value !== "object" || value === null) return JSON.stringify(value);
  const entries = Object.entries(value).map(
    ([key, item]) => `${/^[A-Za-z_$][\w$]*$/.test(key) ? key : JSON.stringify(key)}: ${literal(item)}`,
  );
  return entries.length === 0 ? "{}" : `{ ${entries.join(", ")} }`;
}

const lines = (entry: PluginEntry): string[] => [
  `plugins: [${[...DEFAULT_PLUGINS.map((name) => JSON.stringify(name)), literal(entry)].join(", ")}],`,
];

function told({ plugin, config, edited, present, lines }: Added): string {
  const what = `${plugin.name} ${plugin.version}`;
  if (edited) return `${what} is in ${config}\nNext: toycoder plugin list\n`;
  if (present) return `${what} was in ${config} already\n`;
  const where =
    config === null ? "There is no config yet; toycoder init writes one." : `${config} could not be edited.`;
  return `${what} can be loaded. ${where} Put this into it, beside the plugins that are there:\n\n  ${lines.join("\n  ")}\n`;
}
