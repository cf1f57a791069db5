import { existsSync, writeFileSync } from "node:fs";
import path from "node:path";
import { messageOf, parseRule, SetupError } from "@toycoder/core";
import type { Command } from "../command.ts";
import type { ParsedFlags } from "../flags.ts";
import { type Answers, askPlan } from "../init/ask-plan.ts";
import { configText, FILES, type Format, FORMATS, type Plan } from "../init/config-text.ts";
import { detectProject, type Project } from "../init/detect-project.ts";
import { withArguments } from "../init/test-command.ts";
import type { Io } from "../io.ts";
import { createModel } from "../models.ts";
import { asUsage, UsageError } from "../usage-error.ts";

/** Where the schema is for editors of projects that have none in node_modules. */
const SCHEMA =
  "https://raw.githubusercontent.com/toycoder/toycoder/main/packages/config/schemas/config.schema.json";
const INSTALLED_SCHEMA = "./node_modules/@toycoder/config/schemas/config.schema.json";

export const init: Command = {
  usage: "",
  summary: "writes a config for this project; asks on a terminal",
  details: `Looks at the project's files, runs nothing, and writes one file.
Elsewhere than on a terminal: toycoder init --yes`,
  flags: {
    cwd: { value: "FOLDER", help: "the project (default: this folder)" },
    model: { value: "MODEL", help: "auto, or PROVIDER:NAME" },
    "base-url": { value: "URL", help: "the model's server" },
    format: {
      value: "FORMAT",
      choices: FORMATS,
      help: "the config's format (default: ts with a package.json, else yaml)",
    },
    "allow-tests": { value: "COMMAND", help: "the test command that it may run; none: no command" },
    write: { value: "GLOB", many: true, help: "where it may write (default: the source folders)" },
    force: { help: "write over a config that is there" },
    yes: { help: "ask nothing; what no flag says is taken from the project's files" },
    json: { help: "print what was done as one JSON object" },
  },
  async run(flags, io) {
    if (flags.words.length > 0)
      throw new UsageError(`init takes no words, not ${JSON.stringify(flags.words[0])}`);
    const folder = path.resolve(io.cwd, flags.get("cwd") ?? ".");
    if (!existsSync(folder)) throw new UsageError(`--cwd: there is no folder ${folder}`);
    const project = detectProject(folder, io.env);
    const defaults = defaultsOf(project, flags);
    if (!flags.has("force")) refuseExisting(project);
    const asks = !flags.has("yes") && io.stdin.isTTY && io.stderr.isTTY;
    if (!asks && !flags.has("yes"))
      throw new UsageError("there is no terminal to ask on", "toycoder init --yes takes the defaults");
    const answers = asks ? await askPlan(defaults, io) : defaults;
    const plan = await planOf(answers, project, flags, io, folder);
    const done = write(folder, answers.format, plan, project, flags.has("force"));
    const report = {
      schemaVersion: 1,
      ...done,
      ...plan,
      test: plan.test?.command ?? null,
      ...foundOf(project),
    };
    io.stdout.write(flags.has("json") ? `${JSON.stringify(report, null, 2)}\n` : told(done, project));
    return 0;
  },
};

function defaultsOf(project: Project, flags: ParsedFlags): Answers {
  const test = flags.get("allow-tests") ?? project.test?.command ?? "";
  const globs = flags.all("write");
  return {
    model: flags.get("model") ?? "auto",
    sources: (globs.length > 0 ? globs : project.sources).join(", "),
    test: test === "none" ? "" : test,
    format: (flags.get("format") as Format | undefined) ?? (project.node ? "ts" : "yaml"),
  };
}

function refuseExisting({ configs }: Project): void {
  const [first] = configs;
  if (first === undefined) return;
  throw new UsageError(
    `there is a config already: ${first}`,
    "--force writes over it; toycoder check shows what it says",
  );
}

async function planOf(
  answers: Answers,
  project: Project,
  flags: ParsedFlags,
  io: Io,
  folder: string,
): Promise<Plan> {
  const model = modelOf(answers.model, flags.get("base-url"));
  if (model !== "auto") {
    try {
      await createModel(model, undefined, { env: io.env, folder });
    } catch (error) {
      throw new UsageError(
        `--model: ${messageOf(error)}`,
        error instanceof Error ? hintOf(error) : undefined,
      );
    }
  }
  const sources = answers.sources.split(",").map((glob) => glob.trim()).filter((glob) => glob !== ""); // prettier-ignore
  for (const glob of sources) asUsage("--write", () => parseRule(`write_file(${glob})`, "/"));
  const { test: found } = project;
  const test =
    answers.test === "" ? undefined : answers.test === found?.command ? found : withArguments(answers.test);
  if (test !== undefined) asUsage("--allow-tests", () => parseRule(test.rule, "/"));
  return { model, sources, test };
}

const hintOf = (error: Error): string | undefined => {
  const hint: unknown = Reflect.get(error, "hint");
  return typeof hint === "string" ? hint : undefined;
};

function modelOf(text: string, baseURL: string | undefined): Plan["model"] {
  const [, provider = "", model = ""] = /^([^:]+):(.+)$/.exec(text) ?? [];
  return baseURL === undefined || model === "" ? text : { provider, model, baseURL };
}

interface Done {
  file: string;
  format: Format;
  overwritten: boolean;
}

function write(folder: string, format: Format, plan: Plan, { configs }: Project, force: boolean): Done {
  const name = FILES[format];
  const [first] = configs;
  if (first !== undefined && first !== name) {
    throw new UsageError(
      `${first} is there, and a folder has one config`,
      `take it away first, or write over it: --format, --force`,
    );
  }
  const file = path.join(folder, name);
  const overwritten = existsSync(file);
  const schema = existsSync(path.join(folder, INSTALLED_SCHEMA)) ? INSTALLED_SCHEMA : SCHEMA;
  try {
    writeFileSync(file, configText(plan, format, schema), { flag: force ? "w" : "wx" });
  } catch (error) {
    throw new SetupError("config_invalid", `${file} cannot be written: ${messageOf(error)}`);
  }
  return { file, format, overwritten };
}

const foundOf = ({ packageManager, keys, agentsFile, mcpFile }: Project) => ({
  packageManager: packageManager ?? null,
  keys,
  agentsFile,
  mcpFile,
});

function told({ file, format, overwritten }: Done, project: Project): string {
  const { keys, agentsFile, mcpFile, packageManager: manager } = project;
  const lines = [`${overwritten ? "wrote over" : "wrote"} ${file}`];
  if (agentsFile) lines.push("AGENTS.md is read at each run by itself.");
  if (mcpFile) lines.push(".mcp.json is left alone: copy into mcpServers what the agent is to have of it.");
  if (format === "ts" && manager !== undefined) {
    const add = manager === "npm" ? "npm install --save-dev" : `${manager} add -D`;
    lines.push(`For types in your editor: ${add} toycoder`);
  }
  lines.push(
    keys.length > 0
      ? `Keys that are set: ${keys.join(", ")}`
      : "No provider's key is set: export ANTHROPIC_API_KEY or OPENAI_API_KEY, or start Ollama.",
    'Next: toycoder check, then toycoder run "explain what this project does"',
  );
  return `${lines.join("\n")}\n`;
}
