import { hasBrand, PLUGIN } from "./brand.ts";
import { SetupError } from "./errors.ts";
import type { Hooks } from "./hooks.ts";
import type { Model } from "./model.ts";
import { issueSteps } from "./schema/issue-steps.ts";
import type { InputSchema } from "./schema/to-json-schema.ts";
import type { Tool } from "./tool.ts";
import type { ModelSettings } from "./wire/model-settings.ts";

/** What a plugin is told when it is set up. */
export interface PluginContext {
  /** The workspace's folder, absolute. */
  readonly root: string;
  /** Names of environment variables that hold credentials, whole when the first tool runs: never to be passed on. */
  readonly secretVariables: readonly string[];
}

/** Makes the model that follows the colon in `NAME:model`; `settings` are what the config says of it beside that. */
export type ModelMaker = (model: string, settings: ModelSettings) => Model | Promise<Model>;

/** What a plugin brings. `instructions` join the system prompt; `providers` make models for `NAME:model`. */
export interface PluginParts {
  tools: readonly Tool[];
  hooks?: Hooks;
  instructions?: string;
  /** What is in force, by name, for people: `check` prints it, and a run's session holds it. */
  status?: Readonly<Record<string, string>>;
  providers?: Readonly<Record<string, ModelMaker>>;
  /** Called once when the run ends, whatever its end. */
  dispose?: () => void | Promise<void>;
}

/** What the author of a plugin writes. */
export interface PluginOptions<Input, Parsed> {
  name: string;
  version: string;
  /** The version of this contract. */
  api: 1;
  /** Schema of the plugin's own options. */
  options?: InputSchema<Input, Parsed>;
  setup: (options: Parsed, ctx: PluginContext) => PluginParts | Promise<PluginParts>;
}

/** A plugin with its options, not yet set up. Name and version can be read without running it. */
export interface Plugin {
  readonly [PLUGIN]: true;
  readonly name: string;
  readonly version: string;
  readonly api: number;
  /** Validates the options and sets the plugin up. Throws a SetupError `plugin_options` or `plugin_failed`. */
  setup(ctx: PluginContext): Promise<PluginParts>;
}

/** Called with options it gives a {@link Plugin}; it carries the plugin's name and version itself. */
export interface PluginFactory<Input = unknown> {
  (options?: Input): Plugin;
  readonly [PLUGIN]: true;
  readonly pluginName: string;
  readonly version: string;
  readonly api: number;
}

/** Makes a plugin's factory, the default export of a plugin package. */
export function definePlugin<Input = Record<string, never>, Parsed = Input>(
  definition: PluginOptions<Input, Parsed>,
): PluginFactory<Input> {
  const { name, version, api } = definition;
  const factory = (options?: Input): Plugin =>
    Object.freeze({
      [PLUGIN]: true as const,
      name,
      version,
      api,
      async setup(ctx: PluginContext): Promise<PluginParts> {
        const parsed = await parseOptions(definition, options);
        return await definition.setup(parsed, ctx);
      },
    });
  return Object.freeze(Object.assign(factory, { [PLUGIN]: true as const, pluginName: name, version, api }));
}

async function parseOptions<Input, Parsed>(
  { name, options: schema }: PluginOptions<Input, Parsed>,
  given: Input | undefined,
): Promise<Parsed> {
  const value: unknown = given ?? {};
  if (schema === undefined) {
    const [key] = Object.keys(value as object);
    if (key === undefined) return value as Parsed;
    throw new SetupError("plugin_options", `plugin ${name}: ${key}: it takes no options`);
  }
  const result = await schema["~standard"].validate(value);
  if (result.issues === undefined) return result.value;
  const problems = result.issues.map((issue) => {
    const at = issueSteps(issue).join(".");
    return at === "" ? issue.message : `${at}: ${issue.message}`;
  });
  throw new SetupError("plugin_options", `plugin ${name}: ${problems.join("; ")}`);
}

/** Whether something is a {@link Plugin}, of any copy of this package. */
export const isPlugin = (value: unknown): value is Plugin =>
  hasBrand(value, PLUGIN) && typeof value === "object";

/** Whether something was made by {@link definePlugin}, of any copy of this package. */
export const isPluginFactory = (value: unknown): value is PluginFactory =>
  hasBrand(value, PLUGIN) && typeof value === "function";
