import { glob } from "node:fs/promises";
import path from "node:path";
import { pathToFileURL } from "node:url";
import { isSetupError, messageOf, type Plugin, SetupError } from "@toycoder/core";
import { checkPeer } from "./check-peer.ts";
import type { PluginEntry } from "./define-config.ts";
import { modulePlugin, type PluginModule, withOptions } from "./module-plugin.ts";
import { flattenEntries, type PluginReference } from "./plugin-entry.ts";
import { notFoundHint, type PluginSource, pluginSource } from "./plugin-source.ts";

/** Imports a package by its name, as seen from `fromFile`, or a file by its `file:` URL. */
export type PluginImporter = (specifier: string, fromFile: string) => Promise<PluginModule>;

/** Where a plugin was found. `from` is the package, the file, or the built-in name; nothing where the config made it. */
export interface PluginOrigin {
  kind: "builtin" | "package" | "file" | "config";
  from?: string;
  /** In the config: `plugins[2]`. */
  place: string;
  /** It may be left out: `["name", { optional: true }]`. */
  optional?: true;
}

/** Where plugins come from. */
export interface ResolvePluginsOptions {
  /** The built-in plugins: short name → its module. */
  builtins: Readonly<Record<string, () => Promise<PluginModule>>>;
  importer: PluginImporter;
  /** The config file: packages are looked for from there. */
  file?: string | undefined;
  /** Where relative paths start. Default: the config file's folder. */
  folder?: string;
  /** Packages to take beside the entries, by their full names; where an entry brings the same plugin, it counts. */
  discovered?: readonly string[];
  /** The version of `@toycoder/core` that runs: packages whose peer range leaves it out are refused. */
  coreVersion?: string;
  /** Told of each optional plugin that could not be loaded; the others are, without it. */
  onLeftOut?: (error: SetupError) => void;
  /** Told of each plugin where it was found. */
  onResolved?: (plugin: Plugin, origin: PluginOrigin) => void;
}

/**
 * The plugins that the entries name, in their order, not yet set up; modules are imported side by side.
 * Throws a SetupError `plugin_failed` with everything that could not be resolved.
 */
export async function resolvePlugins(
  entries: readonly PluginEntry[],
  options: ResolvePluginsOptions,
): Promise<Plugin[]> {
  const { discovered = [] } = options;
  const references = [
    ...flattenEntries(entries),
    ...discovered.map((plugin): PluginReference => ({ plugin, place: "discover", exact: true })),
  ];
  const settled = await Promise.allSettled(references.map((one) => resolveReference(one, options)));
  const failures = settled.flatMap((one, index) => {
    if (one.status === "fulfilled") return [];
    const error = one.reason as SetupError;
    if (references[index]?.optional !== true) return [error];
    options.onLeftOut?.(error);
    return [];
  });
  const [first] = failures;
  if (first !== undefined) throw failures.length === 1 ? first : joined(failures);
  const found = settled.map((one) => (one.status === "fulfilled" ? one.value : []));
  const named = found.slice(0, references.length - discovered.length).flat();
  const names = new Set(named.map(({ name }) => name));
  const further = found.slice(references.length - discovered.length).flat();
  const plugins = [...named, ...further.filter(({ name }) => !names.has(name))];
  refuseDuplicates(plugins);
  return plugins;
}

function told(
  plugin: Plugin,
  origin: Omit<PluginOrigin, "place">,
  { place, optional }: PluginReference,
  { onResolved }: ResolvePluginsOptions,
): Plugin {
  onResolved?.(plugin, { ...origin, place, ...(optional === true && { optional }) });
  return plugin;
}

function joined(failures: readonly SetupError[]): SetupError {
  const lines = failures.map(({ message, hint }) => (hint === undefined ? message : `${message} (${hint})`));
  return new SetupError("plugin_failed", lines.join("\n"), { cause: failures[0] });
}

function refuseDuplicates(plugins: readonly Plugin[]): void {
  const seen = new Set<string>();
  for (const { name } of plugins) {
    if (seen.has(name)) {
      throw new SetupError("plugin_failed", `plugins: the plugin ${name} is there twice`, {
        hint: `leave one out; its options go into a pair: ["${name}", { … }]`,
      });
    }
    seen.add(name);
  }
}

async function resolveReference(
  reference: PluginReference,
  options: ResolvePluginsOptions,
): Promise<Plugin[]> {
  const { plugin, place } = reference;
  const label = typeof plugin === "string" ? `the plugin ${JSON.stringify(plugin)}` : "the plugin";
  try {
    if (typeof plugin !== "string")
      return [told(withOptions(plugin, reference), { kind: "config" }, reference, options)];
    const source: PluginSource =
      reference.exact === true
        ? { kind: "package", candidates: [plugin], short: false }
        : pluginSource(plugin, Object.keys(options.builtins));
    return await resolveSource(source, plugin, reference, options);
  } catch (error) {
    const hint = isSetupError(error) ? error.hint : undefined;
    throw new SetupError("plugin_failed", `${place}: ${label}: ${messageOf(error)}`, {
      cause: error,
      ...(hint === undefined ? {} : { hint }),
    });
  }
}

async function resolveSource(
  source: PluginSource,
  name: string,
  reference: PluginReference,
  options: ResolvePluginsOptions,
): Promise<Plugin[]> {
  const { builtins, file } = options;
  const folder = path.resolve(options.folder ?? (file === undefined ? "." : path.dirname(file)));
  switch (source.kind) {
    case "builtin": {
      const module = await builtins[source.name]?.();
      if (module === undefined) return [];
      const origin = { kind: "builtin", from: source.name } as const;
      return [told(modulePlugin(module, reference), origin, reference, options)];
    }
    case "path":
      return [await importFile(path.resolve(folder, source.path), reference, options, folder)];
    case "glob": {
      const files = await filesOf(source.pattern, folder);
      return await Promise.all(files.map((one) => importFile(one, reference, options, folder)));
    }
    default:
      return [await importPackage(source, name, reference, options, folder)];
  }
}

const MODULE = /(?<!\.d)(?<!\.test)(?<!\.spec)\.[cm]?[jt]s$/;

/** The modules that a glob matches, sorted; declarations and tests are left out. */
async function filesOf(pattern: string, folder: string): Promise<string[]> {
  const files: string[] = [];
  for await (const found of glob(pattern, { cwd: folder })) {
    if (MODULE.test(found)) files.push(path.resolve(folder, found));
  }
  if (files.length === 0) {
    throw new SetupError("plugin_failed", `it matches no module in ${folder}`, {
      hint: "a glob takes .ts, .js, .mjs and the like, and leaves out *.test.* and *.d.ts",
    });
  }
  return files.sort();
}

async function importFile(
  file: string,
  reference: PluginReference,
  options: ResolvePluginsOptions,
  folder: string,
): Promise<Plugin> {
  const { importer, file: from } = options;
  try {
    const module = await importer(pathToFileURL(file).href, from ?? path.join(folder, "toycoder.config.js"));
    const plugin = modulePlugin(module, reference, path.basename(file).replace(/\.[^.]+$/, ""));
    return told(plugin, { kind: "file", from: file }, reference, options);
  } catch (error) {
    const itself = codeOf(error) === "ERR_MODULE_NOT_FOUND" && messageOf(error).includes(`'${file}'`);
    if (itself) throw new SetupError("plugin_failed", `there is no file ${file}`, { cause: error });
    if (isSetupError(error))
      throw new SetupError(error.code, `${file}: ${error.message}`, { ...error, cause: error });
    throw new SetupError("plugin_failed", `${file} cannot be imported: ${messageOf(error)}`, {
      cause: error,
    });
  }
}

async function importPackage(
  source: Extract<PluginSource, { kind: "package" }>,
  name: string,
  reference: PluginReference,
  options: ResolvePluginsOptions,
  folder: string,
): Promise<Plugin> {
  const { builtins, importer, file } = options;
  for (const candidate of source.candidates) {
    checkPeer(candidate, file === undefined ? folder : path.dirname(file), options.coreVersion);
    let module: PluginModule;
    try {
      module = await importer(candidate, file ?? path.join(folder, "toycoder.config.js"));
    } catch (error) {
      if (isAbsent(error, candidate)) continue;
      throw new SetupError(
        "plugin_failed",
        `the package ${candidate} cannot be imported: ${messageOf(error)}`,
        {
          cause: error,
        },
      );
    }
    return told(modulePlugin(module, reference), { kind: "package", from: candidate }, reference, options);
  }
  const packages = source.candidates.join(" or ");
  const problem = source.short
    ? `there is no such plugin built in, and no package ${packages}`
    : "it is not installed";
  throw new SetupError("plugin_failed", problem, { hint: notFoundHint(name, source, Object.keys(builtins)) });
}

/** Whether the package itself is missing, as opposed to something that it imports. */
function isAbsent(error: unknown, name: string): boolean {
  const code = codeOf(error);
  if (code !== "ERR_MODULE_NOT_FOUND" && code !== "MODULE_NOT_FOUND") return false;
  return messageOf(error).includes(`'${name}'`);
}

const codeOf = (error: unknown): unknown =>
  typeof error === "object" && error !== null ? (Reflect.get(error, "code") as unknown) : undefined;
