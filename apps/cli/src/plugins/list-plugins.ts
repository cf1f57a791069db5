import type { PluginOrigin } from "@toycoder/config";
import type { ParsedFlags } from "../flags.ts";
import type { Io } from "../io.ts";
import { setUp } from "../set-up.ts";
import { UsageError } from "../usage-error.ts";

/** What `toycoder plugin list --json` prints of each plugin. docs/writing-plugins.md describes it. */
interface ListedPlugin {
  name: string;
  version: string;
  origin: PluginOrigin | null;
  tools: string[];
  providers: string[];
}

/** Prints the plugins of the config: versions, tools, and where they come from. */
export async function listPlugins(flags: ParsedFlags, io: Io): Promise<number> {
  const [, word] = flags.words;
  if (word !== undefined) throw new UsageError(`plugin list takes no words, not ${JSON.stringify(word)}`);
  const ready = await setUp(flags, io, { connect: () => false });
  try {
    const { plugins, origins, registry, leftOut } = ready;
    const names = registry.list({ includeDeprecated: true }).map(({ name }) => name);
    const listed = plugins.map(({ plugin, parts }): ListedPlugin => ({
      name: plugin.name,
      version: plugin.version,
      origin: origins.get(plugin) ?? null,
      tools: names.filter((name) => registry.origin(name).plugin === plugin.name),
      providers: Object.keys(parts.providers ?? {}),
    }));
    const report = {
      schemaVersion: 1,
      config: ready.loaded.file ?? null,
      plugins: listed,
      leftOut: leftOut.map(({ message }) => message),
    };
    io.stdout.write(
      flags.has("json")
        ? `${JSON.stringify(report, null, 2)}\n`
        : [...listed.map(rowOf), ...report.leftOut.map((why) => `left out: ${why}\n`)].join(""),
    );
    return 0;
  } finally {
    await ready.dispose();
  }
}

function rowOf({ name, version, origin, tools, providers }: ListedPlugin): string {
  const brought = [...tools, ...providers.map((provider) => `models ${provider}:…`)];
  return `${name} ${version}  ${whence(origin)}\n  ${brought.join(", ") || "no tools"}\n`;
}

function whence(origin: PluginOrigin | null): string {
  if (origin === null) return "";
  const from = origin.kind === "builtin" ? "built in" : (origin.from ?? "made in the config");
  return `${from} (${origin.place})`;
}
