import { existsSync, readFileSync } from "node:fs";
import { tempWorkspace } from "@toycoder/testing";
import { describe, expect, it, test } from "vitest";
import { parse } from "yaml";
import { pluginName } from "../create-plugin/plugin-name.ts";
import { VERSIONS } from "../create-plugin/versions.ts";
import { runToycoder } from "../test-support/run-toycoder.ts";
import { hasTerminal, KEY, openTerminal } from "../test-support/terminal.ts";

const create = (cwd: string, ...args: string[]) =>
  runToycoder(["create", "plugin", ...args], { cwd, input: "" });

describe("toycoder create plugin", () => {
  it("writes a package into a new folder, and says how to go on", async () => {
    using folder = tempWorkspace();
    const { code, stdout, stderr } = await create(folder.root, "text-stats");
    expect([code, stderr]).toEqual([0, ""]);
    expect(stdout).toContain(
      `wrote toycoder-plugin-text-stats to ${folder.path("toycoder-plugin-text-stats")}`,
    );
    const manifest = JSON.parse(folder.read("toycoder-plugin-text-stats/package.json")) as Record<
      string,
      unknown
    >;
    expect(manifest).toMatchObject({
      name: "toycoder-plugin-text-stats",
      description: "Tools for text stats, for ToyCoder.",
      keywords: ["toycoder", "toycoder-plugin"],
      type: "module",
      files: ["dist"],
    });
    expect(manifest).not.toHaveProperty("repository");
    expect(folder.read("toycoder-plugin-text-stats/.github/workflows/release.yml")).toMatch(
      /id-token: write[\s\S]*NPM_CONFIG_PROVENANCE: "true"/,
    );
  });

  it("takes a scope, a folder, a description and a repository; tells it as JSON", async () => {
    using folder = tempWorkspace();
    const { code, stdout } = await create(
      folder.root,
      "@acme/toycoder-plugin-shop",
      "--dir", "here", "--description", "Orders of the shop.", "--repository", "git+https://example.com/shop.git", "--yes", "--json",
    ); // prettier-ignore
    expect(code).toBe(0);
    const report = JSON.parse(stdout) as { files: string[] };
    expect(report).toMatchObject({
      schemaVersion: 1,
      name: "@acme/toycoder-plugin-shop",
      folder: folder.path("here"),
    });
    expect(report.files).toEqual(
      expect.arrayContaining(["README.md", "LICENSE", "src/plugin.ts", "src/plugin.test.ts"]),
    );
    expect(JSON.parse(folder.read("here/package.json"))).toMatchObject({
      description: "Orders of the shop.",
      repository: { url: "git+https://example.com/shop.git" },
    });
  });

  it("never writes over anything", async () => {
    using folder = tempWorkspace({
      "toycoder-plugin-a/notes.txt": "mine",
      "file.txt": "mine",
      "empty/.git/HEAD": "",
    });
    const full = await create(folder.root, "a");
    expect(full.code).toBe(2);
    expect(full.stderr).toMatch(/toycoder-plugin-a is not empty: there is notes\.txt/);
    expect((await create(folder.root, "a", "--dir", "file.txt")).stderr).toMatch(/is no folder/);
    expect(folder.read("file.txt")).toBe("mine");
    expect((await create(folder.root, "a", "--dir", "empty")).code).toBe(0);
    // A second time it is full.
    expect((await create(folder.root, "a", "--dir", "empty")).code).toBe(2);
  });

  it.each([
    [[], /name is missing/],
    [["a", "b"], /one name, not "b"/],
    [["Text Stats"], /toycoder-plugin-text-stats/],
    [["@acme/shop"], /@acme\/toycoder-plugin-shop/],
  ])("is wrong use: %j", async (args, message) => {
    using folder = tempWorkspace();
    const { code, stderr, stdout } = await create(folder.root, ...args);
    expect([code, stdout]).toEqual([2, ""]);
    expect(stderr).toMatch(message);
  });

  it("makes plugins, and nothing else", async () => {
    using folder = tempWorkspace();
    const { code, stderr } = await runToycoder(["create", "tool", "x"], { cwd: folder.root, input: "" });
    expect(code).toBe(2);
    expect(stderr).toMatch(/create makes a plugin/);
  });
});

describe.skipIf(!hasTerminal)("on a terminal", () => {
  it("asks for what is not said", async () => {
    using folder = tempWorkspace();
    await using terminal = openTerminal(["create", "plugin"], { cwd: folder.root });
    await terminal.shows("What is the plugin called?");
    terminal.type(`2nd${KEY.enter}`);
    await terminal.shows("is no plugin's name");
    terminal.type(`\u007f\u007f\u007ftext-stats${KEY.enter}`);
    await terminal.shows("What does it bring, in a line?");
    terminal.type(KEY.enter);
    await terminal.shows("npm run check");
    expect(await terminal.done).toBe(0);
    expect(folder.read("toycoder-plugin-text-stats/package.json")).toContain(
      "Tools for text stats, for ToyCoder.",
    );
  });

  it("writes nothing where the person leaves", async () => {
    using folder = tempWorkspace();
    await using terminal = openTerminal(["create", "plugin", "text-stats"], { cwd: folder.root });
    await terminal.shows("What does it bring, in a line?");
    terminal.type(KEY.ctrlC);
    expect(await terminal.done).toBe(130);
    expect(existsSync(folder.path("toycoder-plugin-text-stats"))).toBe(false);
  });
});

test("a plugin's names follow from the one that is given", () => {
  expect(pluginName("line-count")).toEqual({
    package: "toycoder-plugin-line-count",
    short: "line-count",
    snake: "line_count",
    camel: "lineCount",
  });
  expect(pluginName(" toycoder-plugin-x2 ").short).toBe("x2");
  expect(pluginName("@acme/toycoder-plugin-x").package).toBe("@acme/toycoder-plugin-x");
});

test.each([
  "",
  "-",
  "a--b",
  "a-",
  "2a",
  "A",
  "a_b",
  "ä",
  "a/b/c",
  "@/toycoder-plugin-x",
  "@acme/x",
  "@acme/toycoder-plugin-",
  "../x",
  "x".repeat(41),
  "a\nb",
])("%j is no plugin's name", (name) => expect(() => pluginName(name)).toThrow(/no plugin's name/));

test("a new plugin gets the versions of packages that this workspace has", () => {
  const { catalog } = parse(
    readFileSync(new URL("../../../../pnpm-workspace.yaml", import.meta.url), "utf8"),
  ) as {
    catalog: Record<string, string>;
  };
  for (const [name, version] of Object.entries(VERSIONS))
    expect(`${name} ${catalog[name]}`).toBe(`${name} ${version}`);
});
