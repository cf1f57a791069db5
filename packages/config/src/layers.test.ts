import vm from "node:vm";
import { isSetupError, type SetupError } from "@toycoder/core";
import { type TempWorkspace, tempWorkspace } from "@toycoder/testing";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { loadConfig, type LoadedConfig, type LoadConfigOptions } from "./load-config.ts";
import { personFile } from "./person-file.ts";

/** Node's own import, past the test runner's. */
const importModule = vm.runInThisContext("(url) => import(url)", {
  importModuleDynamically: vm.constants.USE_MAIN_CONTEXT_DEFAULT_LOADER,
}) as (url: string) => Promise<Record<string, unknown>>;

let workspace: TempWorkspace;
beforeEach(() => void (workspace = tempWorkspace({ "project/.keep": "" })));
afterEach(() => workspace.dispose());

/** The config, a person's defaults, and what is loaded of them. */
function load(
  config: object,
  options: Partial<LoadConfigOptions> = {},
  person?: object,
): Promise<LoadedConfig> {
  workspace.write("project/toycoder.config.json", JSON.stringify(config));
  if (person !== undefined) workspace.write("person.json", JSON.stringify(person));
  const cwd = workspace.path("project");
  return loadConfig({ cwd, env: {}, importModule, person: workspace.path("person.json"), ...options });
}

async function errorOf(pending: Promise<unknown>): Promise<SetupError> {
  const error: unknown = await pending.then(
    () => expect.unreachable(),
    (thrown: unknown) => thrown,
  );
  if (!isSetupError(error)) throw error;
  error.message = error.message.replaceAll(`${workspace.root}/`, "");
  return error;
}

const CI = { profile: "ci" };

describe("a profile", () => {
  test("merges objects by key, adds to lists, and replaces the rest", async () => {
    const { config, profile } = await load(
      {
        model: { provider: "a", model: "b", temperature: 1 },
        tools: { enable: ["run_command"], alias: { a: "x", b: "y" } },
        permissions: { allow: ["a", "b"], deny: ["exec:git push *"], levels: { safe: "ask" }, onAsk: "stop" },
        limits: { turns: 5, minutes: 1 },
        instructions: "at home",
        profiles: {
          ci: {
            model: { provider: "a", model: "c" },
            tools: { enable: ["ask_user"], alias: { b: "z" } },
            permissions: { allow: ["c", "a"], levels: { sensitive: "deny" }, onAsk: "deny" },
            limits: { turns: 9 },
            instructions: "in CI",
          },
          other: { limits: { turns: 1 } },
        },
      },
      CI,
    );
    expect(profile).toBe("ci");
    expect(config).toMatchObject({
      model: { provider: "a", model: "c" },
      tools: { enable: ["run_command", "ask_user"], alias: { a: "x", b: "z" } },
      permissions: {
        allow: ["a", "b", "c"],
        deny: ["exec:git push *"],
        levels: { safe: "ask", sensitive: "deny" },
        onAsk: "deny",
      },
      limits: { turns: 9, minutes: 1 },
      instructions: "in CI",
    });
    expect(config.model).not.toHaveProperty("temperature");
  });

  test("gives a plugin other options, adds plugins to the default ones, and tests a call anew", async () => {
    const tests = (decision: string) => ({ tests: [["run_command", { command: "npm publish" }, decision]] });
    const named = {
      plugins: ["files", ["shell", { timeoutSeconds: 5 }], ["x", "y", "z"]],
      permissions: tests("ask"),
    };
    const ci = {
      plugins: [["shell", { timeoutSeconds: 9 }], "docs", ["x", "y", "w"]],
      permissions: tests("allow"),
    };
    const { config } = await load({ ...named, profiles: { ci } }, CI);
    const lists = [["x", "y", "z"], "docs", ["x", "y", "w"]];
    expect(config.plugins).toEqual(["files", ["shell", { timeoutSeconds: 9 }], ...lists]);
    expect(config.permissions.tests).toEqual(ci.permissions.tests);
    const added = await load({ profiles: { ci: { plugins: ["docs"] } } }, CI);
    expect(added.config.plugins).toEqual(["files", "search", "shell", "question", "docs"]);
  });

  test("takes an MCP server as a whole", async () => {
    const mcpServers = { docs: { command: "a", args: ["x"] }, mail: { command: "b" } };
    const over = { docs: { command: "a", args: ["y"] } };
    const { config } = await load({ mcpServers, profiles: { ci: { mcpServers: over } } }, CI);
    expect(config.mcpServers).toEqual({ ...mcpServers, ...over });
  });

  test("no list of rules of the config loses any", async () => {
    const rules = { allow: ["a"], ask: ["b"], deny: ["c"], protect: ["d"] };
    for (const over of [{}, { deny: [] }, { deny: ["x"], ask: ["y"], allow: ["z"], protect: ["w"] }]) {
      const { config } = await load({ permissions: rules, profiles: { ci: { permissions: over } } }, CI);
      for (const [name, [rule]] of Object.entries(rules))
        expect(config.permissions[name as keyof typeof rules]).toContain(rule);
    }
  });

  test("that is not there: the nearest, or those that are", async () => {
    const config = { profiles: { ci: {}, release: {} } };
    expect(await errorOf(load(config, { profile: "realease" }))).toMatchObject({
      code: "profile_not_found",
      message: 'project/toycoder.config.json has no profile "realease"',
      hint: "did you mean release?",
    });
    expect((await errorOf(load(config, { profile: "__proto__" }))).hint).toBe("profiles are ci, release");
    expect((await errorOf(load({}, CI))).hint).toBe("it has no profiles");
    expect((await errorOf(loadConfig({ cwd: "/", profile: "ci" }))).message).toMatch(/^there is no config/);
  });

  test.each<[object, string]>([
    [{ limits: { turn: 1 } }, "profiles.ci.limits.turn: unknown key; did you mean turns?"],
    [
      { hooks: {} },
      "profiles.ci.hooks: the hooks of the config hold in every profile; write them outside of it",
    ],
    [{ profiles: {} }, "profiles.ci.profiles: a profile holds no profiles; write them side by side"],
  ])("%j is wrong, whether it is chosen or not", async (ci, message) => {
    expect((await errorOf(load({ profiles: { ci } }))).message).toContain(message);
  });

  test("names its variables; those of one that is not chosen need not be set", async () => {
    const model = { provider: "a", model: "b", baseURL: "${NONE}" };
    expect((await errorOf(load({ profiles: { ci: { model } } }, CI))).message).toMatch(
      /^project\/toycoder\.config\.json:1:\d+: profiles\.ci\.model\.baseURL: the environment variable NONE is not set\n/,
    );
    await load({ profiles: { ci: { model } } });
  });
});

describe("a person's defaults", () => {
  test("hold where the config says nothing; their deny rules always", async () => {
    const person = {
      model: "a:person",
      credentials: { mail: { env: "MY_MAIL" }, docs: "MY_DOCS" },
      permissions: { deny: ["read:**/private/**"] },
    };
    const {
      config,
      secretVariables,
      person: file,
      sources,
    } = await load(
      {
        credentials: { docs: { env: "OUR_DOCS" } },
        permissions: { deny: ["exec:rm *"] },
        limits: { turns: 3 },
      },
      {},
      person,
    );
    expect(file).toBe(workspace.path("person.json"));
    expect(config.model).toBe("a:person");
    expect(config.credentials).toEqual({ mail: "MY_MAIL", docs: "OUR_DOCS" });
    expect(config.permissions.deny).toEqual(["read:**/private/**", "exec:rm *"]);
    expect(secretVariables).toEqual(["MY_MAIL", "OUR_DOCS"]);
    expect(Object.fromEntries(sources)).toEqual({
      model: "person",
      "credentials.mail": "person",
      "credentials.docs": "config",
      "permissions.deny[0]": "person",
      "permissions.deny[1]": "config",
      "limits.turns": "config",
    });
    const over = await load({ model: "a:project", profiles: { ci: { model: "a:ci" } } }, CI, person);
    expect([over.config.model, over.sources.get("model")]).toEqual(["a:ci", "profile"]);
  });

  test.each<[object, string]>([
    [{ permissions: { allow: ["x"] } }, "permissions.allow: a person's defaults hold model, "],
    [
      { permissions: { levels: { dangerous: "allow" } } },
      "permissions.levels: a person's defaults hold model, ",
    ],
    [{ plugins: [] }, "plugins: a person's defaults hold model, credentials and permissions.deny only; "],
    [{ profiles: {} }, "profiles: a person's defaults hold model, "],
    [{ modell: "" }, "modell: unknown key; did you mean model?"],
    [
      { model: { provider: "a", model: "b", baseURL: "${NONE}" } },
      "model.baseURL: the environment variable NONE",
    ],
  ])("%j is refused in their own file", async (person, message) => {
    const error = await errorOf(load({}, {}, person));
    expect(error.message).toMatch(/^person\.json:1:\d+: /);
    expect(error.message).toContain(message);
  });

  test("may be absent, and are never the config itself", async () => {
    expect((await load({})).person).toBeUndefined();
    const own = await load(
      { limits: { turns: 1 } },
      { person: workspace.path("project/toycoder.config.json") },
    );
    expect([own.person, own.config.limits.turns]).toEqual([undefined, 1]);
  });

  test("lie where the XDG Base Directory Specification says", () => {
    expect(personFile({ HOME: "/h" })).toBe("/h/.config/toycoder/config.json");
    expect(personFile({ HOME: "/h", XDG_CONFIG_HOME: "/x" })).toBe("/x/toycoder/config.json");
    expect(personFile({ HOME: "/h", XDG_CONFIG_HOME: "x" })).toBe("/h/.config/toycoder/config.json");
    expect(personFile({ HOME: "/h", XDG_CONFIG_HOME: "" })).toBe("/h/.config/toycoder/config.json");
  });
});
