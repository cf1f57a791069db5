import path from "node:path";
import type { Command } from "../command.ts";
import { pluginFiles } from "../create-plugin/plugin-files.ts";
import { defaultDescription, pluginName } from "../create-plugin/plugin-name.ts";
import { refuseFull, writePlugin } from "../create-plugin/write-plugin.ts";
import { UsageError } from "../usage-error.ts";
import { version } from "../version.ts";

export const create: Command = {
  usage: "plugin [NAME]",
  summary: "writes a plugin package: a tool, its tests, a release workflow",
  details: `NAME is line-count, toycoder-plugin-line-count or @scope/toycoder-plugin-line-count.
What there is no flag for is asked on a terminal. Nothing is written over.
Example: toycoder create plugin line-count --yes`,
  flags: {
    dir: { value: "FOLDER", help: "where it is written (default: a new folder with the package's name)" },
    description: { value: "TEXT", help: "what it brings, in a line" },
    repository: { value: "URL", help: "of the git repository, for package.json" },
    yes: { help: "ask nothing" },
    json: { help: "print what was done as one JSON object" },
  },
  async run(flags, io) {
    const [what, given, ...more] = flags.words;
    if (what !== "plugin") throw new UsageError("create makes a plugin", "toycoder create plugin NAME");
    if (more.length > 0)
      throw new UsageError(`create plugin takes one name, not ${JSON.stringify(more[0])}, too`);
    const asks = !flags.has("yes") && io.stdin.isTTY && io.stderr.isTTY;
    const known = { name: given, description: flags.get("description") };
    if (known.name !== undefined) pluginName(known.name);
    if (known.name === undefined && !asks)
      throw new UsageError("the plugin's name is missing", "toycoder create plugin line-count");
    const answers = asks
      ? await (await import("../create-plugin/ask-plugin.ts")).askPlugin(definedOf(known), io)
      : { name: known.name ?? "", description: known.description ?? defaultDescription(known.name ?? "") };
    const name = pluginName(answers.name);
    const folder = path.resolve(io.cwd, flags.get("dir") ?? name.package.replace(/^@[^/]*\//, ""));
    refuseFull(folder);
    const files = pluginFiles({
      name,
      description: answers.description,
      version: version(),
      repository: flags.get("repository"),
    });
    writePlugin(folder, files);
    const report = { schemaVersion: 1, name: name.package, folder, files: Object.keys(files).sort() };
    const shown = path.relative(io.cwd, folder) || ".";
    io.stdout.write(
      flags.has("json")
        ? `${JSON.stringify(report, null, 2)}\n`
        : `wrote ${name.package} to ${folder} (${report.files.length} files)
Next:
  cd ${shown}
  npm install
  npm test
  npm run check
`,
    );
    return 0;
  },
};

const definedOf = <T extends object>(given: T): { [K in keyof T]?: Exclude<T[K], undefined> } =>
  Object.fromEntries(Object.entries(given).filter(([, value]) => value !== undefined)) as never;
