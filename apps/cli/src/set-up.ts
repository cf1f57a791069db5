import path from "node:path";
import { registerAgentTools, stateFolder } from "@toycoder/agent";
import {
  type LoadedConfig,
  type PluginOrigin,
  type ResolvedConfig,
  discoverPlugins,
  disposePlugins,
  personFile,
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
  type Plugin,
  type Policy,
  SetupError,
  type Session,
  type SessionOptions,
  ToolRegistry,
  type Workspace,
} from "@toycoder/core";
import type { McpServers } from "@toycoder/mcp";
import { BUILTINS } from "./builtins.ts";
import { checkAliases, pinVersions } from "./choose-tools.ts";
import { credentialsOf, ownNames } from "./credentials.ts";
import type { Flags, ParsedFlags } from "./flags.ts";
import type { Io } from "./io.ts";
import { loadChosen, personsShare } from "./load-chosen.ts";
import { createServers } from "./mcp/create-servers.ts";
import { knownNames } from "./mcp/known-names.ts";
import { serverStatus } from "./mcp/server-status.ts";
import { startServers } from "./mcp/start-servers.ts";
import { PROVIDER_KEYS, PROVIDER_NAMES } from "./models.ts";
import { pluginProviders, type Providers } from "./plugin-providers.ts";
import { registerPlugins, toolAliases } from "./register-plugins.ts";
import { importFrom, resolveToycoder } from "./resolve-toycoder.ts";
import { asUsage } from "./usage-error.ts";
import { version } from "./version.ts";

/** The flags of every command that works with a config. */
export const SETUP_FLAGS: Flags = {
  config: { value: "FILE", help: "the config file (default: searched upward from the folder)" },
  profile: { value: "NAME", help: "put this profile of the config over it" },
  cwd: { value: "FOLDER", help: "the workspace (default: the config file's folder, else this one)" },
  allow: { value: "RULE", many: true, help: "add a rule that allows" },
  deny: { value: "RULE", many: true, help: "add a rule that denies" },
  enable: { value: "TOOL", many: true, help: "enable a tool; dangerous ones start disabled" },
  yes: { help: "answer every question with yes; denials and the workspace's bounds hold" },
};

/** Everything that a config and the flags come to, before a session is opened. */
export interface SetUp {
  readonly loaded: LoadedConfig;
  readonly workspace: Workspace;
  readonly policy: Policy;
  readonly registry: ToolRegistry;
  readonly plugins: readonly SetUpPlugin[];
  /** Where each plugin was found. */
  readonly origins: ReadonlyMap<Plugin, PluginOrigin>;
  /** Why optional plugins are not there. */
  readonly leftOut: readonly SetupError[];
  /** What plugins bring beside the built-in providers. */
  readonly providers: Providers;
  /** Undefined where the config has none. */
  readonly mcp: McpServers | undefined;
  openSession(options?: Pick<SessionOptions, "id" | "spillFolder" | "onChange" | "ask">): Session;
  dispose(): Promise<void>;
}

/**
 * Loads the config, sets its plugins up and parses the policy. Throws a SetupError for what is wrong with the
 * config, a UsageError for what is wrong with the flags. MCP servers are started meanwhile, unless `connect` says no.
 */
export async function setUp(
  flags: ParsedFlags,
  io: Io,
  { connect = () => true }: { connect?: (config: ResolvedConfig) => boolean } = {},
): Promise<SetUp> {
  resolveToycoder();
  const given = flags.get("cwd");
  const cwd = path.resolve(io.cwd, given ?? ".");
  const configFile = flags.get("config");
  const file = configFile === undefined ? undefined : path.resolve(io.cwd, configFile);
  const loaded = await loadChosen({ cwd, file, profile: flags.get("profile"), env: io.env });
  const { config, folder } = loaded;

  const workspace = openWorkspace(
    given === undefined && contains(folder, cwd) ? folder : cwd,
    config.workspace.roots,
  );
  const policy = policyOf(loaded, workspace, flags, io);
  const origins = new Map<Plugin, PluginOrigin>();
  const leftOut: SetupError[] = [];
  const onLeftOut = (error: SetupError): void => void leftOut.push(error);
  const plugins = await resolvePlugins(config.plugins, {
    builtins: BUILTINS,
    importer: importFrom,
    file: loaded.file,
    folder,
    coreVersion: version(),
    onResolved: (plugin, origin) => void origins.set(plugin, origin),
    onLeftOut,
    ...(config.discover && { discovered: discoverPlugins(folder) }),
  });
  const secretVariables = [...loaded.secretVariables, ...PROVIDER_KEYS];
  const registry = new ToolRegistry();
  const mcp = await createServers(loaded, workspace, io);
  const names = knownNames(registry, mcp, leftOut);
  const started = connect(config) && mcp !== undefined ? startServers(mcp, io) : undefined;
  started?.catch(() => {});
  let done: readonly SetUpPlugin[] = [];
  let providers: Providers;
  const dispose = async (): Promise<void> => {
    await Promise.all([disposePlugins(done), mcp?.close()]);
  };
  try {
    const context = { root: workspace.root, secretVariables };
    const isOptional = (plugin: Plugin): boolean => origins.get(plugin)?.optional === true;
    done = await setupPlugins(plugins, context, { isOptional, onLeftOut });
    registerPlugins(registry, done, config.tools, leftOut.length > 0);
    providers = pluginProviders(done, PROVIDER_NAMES);
    registerAgentTools(registry);
    await started;
    if (started !== undefined) mcp?.register(registry);
    pinVersions(registry, names.present(config.tools.versions));
    checkAliases(registry, names.present(toolAliases(config.tools.alias)));
    checkRuleNames(policy, names.ofRules(policy));
    // The same list that the plugins hold: from here on it names what their tools need, too.
    secretVariables.push(...Object.values(ownNames(registry)));
    for (const name of [...config.tools.enable, ...config.tools.disable]) names.require(name);
    for (const name of flags.all("enable")) asUsage("--enable", () => names.require(name));
  } catch (error) {
    await dispose();
    throw error;
  }

  return {
    loaded,
    workspace,
    policy,
    registry,
    plugins: done,
    origins,
    leftOut,
    providers,
    mcp,
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
        enable: [...config.tools.enable, ...flags.all("enable")].filter(names.isThere),
        disable: config.tools.disable.filter(names.isThere),
        ...options,
      }),
    dispose,
  };
}

/** What is in force, by name: a person's defaults, and what plugins say of themselves (the sandbox of commands). */
export const statusOf = ({
  plugins,
  loaded,
  mcp,
  leftOut,
}: Pick<SetUp, "plugins" | "loaded" | "mcp" | "leftOut">): Readonly<Record<string, string>> => ({
  ...(loaded.person !== undefined && { defaults: personsShare(loaded) }),
  ...Object.fromEntries(plugins.flatMap(({ parts }) => Object.entries(parts.status ?? {}))),
  ...serverStatus(mcp),
  ...(leftOut.length > 0 && { "left out": leftOut.map(({ message }) => message).join("; ") }),
});

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
    protect: [
      ...protectedPaths({ file, person: personFile(io.env), folder, plugins }),
      state,
      ...permissions.protect,
    ],
    onAsk: flags.has("yes") ? "allow" : permissions.onAsk,
  });
}

function ruleFlags(flags: ParsedFlags, name: string, root: string): readonly string[] {
  for (const rule of flags.all(name)) asUsage(`--${name}`, () => parseRule(rule, root));
  return flags.all(name);
}
