import path from "node:path";
import { stateFolder } from "@toycoder/agent";
import {
  type LoadedConfig,
  loadConfig,
  disposePlugins,
  protectedPaths,
  resolvePlugins,
  setupPlugins,
  type SetUpPlugin,
} from "@toycoder/config";
import {
  checkRuleNames,
  createPolicy,
  createSession,
  createWorkspace,
  messageOf,
  parseRule,
  type Policy,
  SetupError,
  type Session,
  type SessionOptions,
  ToolRegistry,
  type Workspace,
} from "@toycoder/core";
import type { Flags, ParsedFlags } from "./flags.ts";
import type { Io } from "./io.ts";
import { PROVIDER_KEYS } from "./models.ts";
import { importFrom, resolveToycoder } from "./resolve-toycoder.ts";
import { asUsage } from "./usage-error.ts";

/** The flags of every command that works with a config. */
export const SETUP_FLAGS: Flags = {
  config: { value: "FILE", help: "the config file (default: searched upward from the folder)" },
  cwd: { value: "FOLDER", help: "the workspace (default: the config file's folder, else this one)" },
  allow: { value: "RULE", many: true, help: "add a rule that allows" },
  deny: { value: "RULE", many: true, help: "add a rule that denies" },
  enable: { value: "TOOL", many: true, help: "enable a tool; dangerous ones start disabled" },
  yes: { help: "answer every question with yes; denials and the workspace's bounds hold" },
};

/** The built-in plugins, each loaded when a config has it. */
const BUILTINS = {
  files: () => import("@toycoder/plugin-files"),
  search: () => import("@toycoder/plugin-search"),
  shell: () => import("@toycoder/plugin-shell"),
  question: () => import("@toycoder/plugin-question"),
} satisfies Record<string, () => Promise<Readonly<Record<string, unknown>>>>;

/** Everything that a config and the flags come to, before a session is opened. */
export interface SetUp {
  readonly loaded: LoadedConfig;
  readonly workspace: Workspace;
  readonly policy: Policy;
  readonly registry: ToolRegistry;
  readonly plugins: readonly SetUpPlugin[];
  openSession(options?: Pick<SessionOptions, "id" | "spillFolder" | "onChange">): Session;
  dispose(): Promise<void>;
}

/**
 * Loads the config, sets its plugins up and parses the policy. Throws a SetupError for what is wrong with the
 * config, a UsageError for what is wrong with the flags.
 */
export async function setUp(flags: ParsedFlags, io: Io): Promise<SetUp> {
  resolveToycoder();
  const given = flags.get("cwd");
  const cwd = path.resolve(io.cwd, given ?? ".");
  const configFile = flags.get("config");
  const file = configFile === undefined ? undefined : path.resolve(io.cwd, configFile);
  const loaded = await loadConfig({ cwd, env: io.env, ...(file !== undefined && { file }) });
  const { config, folder } = loaded;

  const workspace = openWorkspace(
    given === undefined && contains(folder, cwd) ? folder : cwd,
    config.workspace.roots,
  );
  const policy = policyOf(loaded, workspace, flags, io);
  const plugins = await resolvePlugins(config.plugins, {
    builtins: BUILTINS,
    importer: importFrom,
    file: loaded.file,
    folder,
  });
  const secretVariables = [...loaded.secretVariables, ...PROVIDER_KEYS];
  const done = await setupPlugins(plugins, { root: workspace.root, secretVariables });
  const registry = new ToolRegistry();
  try {
    for (const { plugin, parts } of done) registry.registerMany(parts.tools, { plugin: plugin.name });
    checkRuleNames(
      policy,
      registry.snapshot().map((tool) => tool.name),
    );
    // The same list that the plugins hold: from here on it names what their tools need, too.
    secretVariables.push(...Object.values(ownNames(registry)));
    for (const name of [...config.tools.enable, ...config.tools.disable]) registry.require(name);
    for (const name of flags.all("enable")) asUsage("--enable", () => registry.require(name));
  } catch (error) {
    await disposePlugins(done);
    throw error;
  }

  return {
    loaded,
    workspace,
    policy,
    registry,
    plugins: done,
    openSession: (options = {}) =>
      createSession({
        registry,
        policy,
        workspace,
        credentials: credentialsOf({ ...ownNames(registry), ...config.credentials }, io.env),
        hooks: [
          config.hooks,
          ...done.flatMap(({ parts }) => (parts.hooks === undefined ? [] : [parts.hooks])),
        ],
        enable: [...config.tools.enable, ...flags.all("enable")],
        disable: config.tools.disable,
        ...options,
      }),
    dispose: () => disposePlugins(done),
  };
}

/** What plugins say is in force, by name: the sandbox of commands. */
export const statusOf = ({ plugins }: Pick<SetUp, "plugins">): Readonly<Record<string, string>> =>
  Object.fromEntries(plugins.flatMap(({ parts }) => Object.entries(parts.status ?? {})));

/** Whether `folder` is `inner` or holds it. */
function contains(folder: string, inner: string): boolean {
  const way = path.relative(folder, inner);
  return way === "" || (way !== ".." && !way.startsWith(`..${path.sep}`) && !path.isAbsolute(way));
}

function openWorkspace(root: string, roots: readonly string[]): Workspace {
  try {
    return createWorkspace({ root, roots });
  } catch (error) {
    throw new SetupError("workspace_invalid", `the workspace cannot be opened: ${messageOf(error)}`);
  }
}

function policyOf(
  { config, file, folder }: LoadedConfig,
  { root }: Workspace,
  flags: ParsedFlags,
  io: Io,
): Policy {
  const { permissions, plugins } = config;
  const state = `${stateFolder(io.env)}/`;
  return createPolicy({
    root,
    ...permissions,
    allow: [...permissions.allow, ...ruleFlags(flags, "allow", root)],
    deny: [...permissions.deny, ...ruleFlags(flags, "deny", root)],
    protect: [...protectedPaths({ file, folder, plugins }), state, ...permissions.protect],
    onAsk: flags.has("yes") ? "allow" : permissions.onAsk,
  });
}

function ruleFlags(flags: ParsedFlags, name: string, root: string): readonly string[] {
  for (const rule of flags.all(name)) asUsage(`--${name}`, () => parseRule(rule, root));
  return flags.all(name);
}

/** A credential that the config says nothing of is the environment variable of its name. */
function ownNames(registry: ToolRegistry): Record<string, string> {
  const names = registry.list({ includeDeprecated: true }).flatMap((tool) => tool.requiresAuth);
  return Object.fromEntries(names.map((name) => [name, name]));
}

function credentialsOf(
  names: Readonly<Record<string, string>>,
  env: NodeJS.ProcessEnv,
): Record<string, string> {
  return Object.fromEntries(
    Object.entries(names).flatMap(([name, variable]) => {
      const value = env[variable];
      return value === undefined || value === "" ? [] : [[name, value]];
    }),
  );
}
