import { describe, expect, it } from "vitest";
import { z } from "zod";
import { createPolicy } from "./permission/policy.ts";
import { createWorkspace } from "./permission/workspace.ts";
import { ToolRegistry } from "./registry.ts";
import { createSession } from "./session.ts";
import { defineTool, type Tool } from "./tool.ts";

const tool = (name: string, more: object = {}): Tool =>
  defineTool({
    name,
    description: "A tool of a test.",
    input: z.object({}),
    execute: () => "",
    ...more,
  });

describe("ToolRegistry", () => {
  it("registers, finds and lists, sorted by name", () => {
    const registry = new ToolRegistry();
    registry.registerMany([tool("b", { category: "search" }), tool("a", { tags: ["x"] })], { plugin: "p" });
    expect(registry.list().map((one) => one.name)).toEqual(["a", "b"]);
    expect(registry.list({ category: "search" }).map((one) => one.name)).toEqual(["b"]);
    expect(registry.list({ tag: "x" }).map((one) => one.name)).toEqual(["a"]);
    expect(registry.list({ level: "dangerous" })).toEqual([]);
    expect(registry.get("a")?.name).toBe("a");
    expect(registry.has("c")).toBe(false);
    expect(registry.origin("a")).toEqual({ plugin: "p" });
    expect(registry.snapshot({ names: ["b", "c"] }).map((one) => one.name)).toEqual(["b"]);
    expect(Object.isFrozen(registry.snapshot())).toBe(true);
  });

  it("refuses a name twice, and one that differs in style alone", () => {
    const registry = new ToolRegistry();
    registry.register(tool("get_weather"), { plugin: "weather" });
    expect(() => registry.register(tool("get_weather"))).toThrow(
      /registered already \(by the plugin weather\)/,
    );
    expect(() => registry.register(tool("getweather"))).toThrow(/differs from get_weather only in its style/);
    expect(registry.unregister("get_weather")).toBe(true);
    expect(registry.unregister("get_weather")).toBe(false);
    registry.register(tool("getweather"));
  });

  it("adds all or none", () => {
    const registry = new ToolRegistry();
    expect(() => registry.registerMany([tool("a"), tool("b"), tool("a")])).toThrow("registered already");
    expect(registry.list()).toEqual([]);
  });

  it("takes names of methods for ordinary names", () => {
    const registry = new ToolRegistry();
    registry.register(tool("constructor"));
    expect(registry.get("constructor")?.name).toBe("constructor");
    expect(registry.get("toString")).toBeUndefined();
  });

  it("refuses what defineTool did not make", () => {
    expect(() => new ToolRegistry().register({ name: "x" } as never)).toThrow("make one with defineTool");
  });
});

describe("versions", () => {
  const at = (...versions: string[]): ToolRegistry => {
    const registry = new ToolRegistry();
    registry.registerMany(versions.map((version) => tool("query", { version })));
    return registry;
  };

  it("stand side by side in semver order, the newest active, a prerelease never by itself", () => {
    const registry = at("2.0.0", "10.0.0", "10.1.0-beta.1", "1.0.0");
    expect(registry.versions("query")).toEqual(["1.0.0", "2.0.0", "10.0.0", "10.1.0-beta.1"]);
    expect(registry.get("query")?.version).toBe("10.0.0");
    expect(registry.list()).toHaveLength(1);
    expect(at("1.0.0-rc.1").get("query")).toBeUndefined();
  });

  it.each([
    ["^1", "1.5.0"],
    [">=1 <3", "2.0.0"],
    ["*", "10.0.0"],
    ["^4", undefined],
    ["10.1.0-beta.1", "10.1.0-beta.1"],
  ])("are found by the range %s: %s", (range, expected) => {
    expect(at("1.5.0", "1.0.0", "2.0.0", "10.0.0", "10.1.0-beta.1").get("query", range)?.version).toBe(
      expected,
    );
  });

  it("stay pinned whatever is registered later", () => {
    const registry = at("1.0.0", "2.0.0");
    registry.activate("query", "1.0.0");
    registry.register(tool("query", { version: "3.0.0" }));
    expect(registry.get("query")?.version).toBe("1.0.0");
    expect(() => registry.activate("query", "4.0.0")).toThrow("there is no version 4.0.0 of the tool query");
    expect(() => registry.activate("other", "1.0.0")).toThrow("other");
  });

  it("go back to the one before, or to the one named", () => {
    const registry = at("1.0.0");
    expect(registry.rollback("query")).toBe(false);
    registry.register(tool("query", { version: "2.0.0" }));
    registry.register(tool("query", { version: "3.0.0" }));
    expect(registry.rollback("query")).toBe(true);
    expect(registry.get("query")?.version).toBe("2.0.0");
    expect(registry.rollback("query")).toBe(true);
    expect(registry.get("query")?.version).toBe("1.0.0");
    expect(registry.rollback("query")).toBe(false);
    expect(registry.rollback("query", "3.0.0")).toBe(true);
    expect(registry.rollback("query", "9.0.0")).toBe(false);
    expect(registry.rollback("nothing")).toBe(false);
    expect(registry.get("query")?.version).toBe("3.0.0");
  });

  it("are taken out one by one or all", () => {
    const registry = at("1.0.0", "2.0.0");
    registry.activate("query", "2.0.0");
    expect(registry.unregister("query", "2.0.0")).toBe(true);
    expect(registry.get("query")?.version).toBe("1.0.0");
    expect(registry.unregister("query", "2.0.0")).toBe(false);
    expect(registry.unregister("query")).toBe(true);
    expect(registry.versions("query")).toEqual([]);
    registry.register(tool("que_ry"));
  });

  it("are replaced with override alone", () => {
    const registry = at("1.0.0");
    const again = tool("query", { version: "1.0.0", description: "Another." });
    expect(() => registry.register(again)).toThrow("registered already");
    registry.register(again, { override: true });
    expect(registry.get("query")?.description).toBe("Another.");
    expect(() =>
      registry.registerMany([tool("query", { description: "Third." }), tool("a"), tool("a")], {
        override: false,
      }),
    ).toThrow("registered already");
    expect(registry.get("query")?.description).toBe("Another.");
  });

  it("that were overridden come back when the rest of their batch fails", () => {
    const registry = at("1.0.0");
    const batch = [tool("query", { description: "New." }), tool("getQuery".toLowerCase()), tool("get_query")];
    expect(() => registry.registerMany(batch, { override: true })).toThrow("only in its style");
    expect(registry.get("query")?.description).toBe("A tool of a test.");
    expect(registry.list()).toHaveLength(1);
  });
});

describe("deprecation and dependencies", () => {
  it("leave a deprecated tool out of lists, and callable", () => {
    const registry = new ToolRegistry();
    registry.registerMany([tool("old"), tool("new")]);
    registry.deprecate("old", { replacement: "new" });
    expect(registry.list().map(({ name }) => name)).toEqual(["new"]);
    expect(registry.list({ includeDeprecated: true })).toHaveLength(2);
    expect(registry.snapshot().map(({ name }) => name)).toEqual(["new"]);
    expect(registry.snapshot({ names: ["old"] }).map(({ name }) => name)).toEqual(["old"]);
    expect(registry.get("old")?.name).toBe("old");
    expect(registry.deprecation("old")).toEqual({ replacement: "new" });
    expect(registry.deprecation("new")).toBeUndefined();
    expect(() => registry.deprecate("nope", { replacement: "new" })).toThrow("there is no tool nope");
  });

  it("report what is missing, what has a wrong version, and cycles by name", () => {
    const registry = new ToolRegistry();
    registry.registerMany([
      tool("a", { dependencies: { b: "^1", gone: "^1", maybe: { range: "^1", optional: true } } }),
      tool("b", { dependencies: { c: "^2" } }),
      tool("c", { dependencies: { a: "*" } }),
      tool("d", { dependencies: { e: "*" } }),
      tool("e", { dependencies: { d: "*" } }),
    ]);
    expect(registry.checkDependencies("a")).toEqual([
      { kind: "version", tool: "c", range: "^2", neededBy: "b", found: "1.0.0" },
      { kind: "missing", tool: "gone", range: "^1", neededBy: "a" },
    ]);
    expect(registry.checkDependencies("d")).toEqual([
      { kind: "cycle", tool: "d", range: "*", neededBy: "e", cycle: ["d", "e", "d"] },
    ]);
    expect(registry.checkDependencies("c").some(({ kind }) => kind === "version")).toBe(true);
  });

  it("has the categories of what it lists, and tells changes", () => {
    const registry = new ToolRegistry();
    const heard: string[] = [];
    const off = registry.on("change", ({ kind, name, version }) => heard.push(`${kind} ${name} ${version}`));
    registry.register(tool("a", { category: "search" }));
    registry.registerMany([
      tool("b", { category: "file_io" }),
      tool("a", { version: "2.0.0", category: "search" }),
    ]);
    registry.rollback("a");
    registry.deprecate("b", { replacement: "a" });
    registry.unregister("a");
    off();
    registry.register(tool("z"));
    expect(registry.categories()).toEqual(["utility"]);
    expect(heard).toEqual([
      "register a 1.0.0",
      "register b 1.0.0",
      "register a 2.0.0",
      "activate a 1.0.0",
      "deprecate b 1.0.0",
      "unregister a 1.0.0",
      "unregister a 2.0.0",
    ]);
  });
});

describe("search", () => {
  it("finds what is registered since the last search, and the session marks what is disabled", () => {
    const registry = new ToolRegistry();
    registry.register(tool("read_file", { description: "Read a text file." }));
    expect(registry.search("delete a folder").map((hit) => hit.tool.name)).not.toContain("delete_folder");
    registry.register(tool("delete_folder", { description: "Delete a folder.", permission: "dangerous" }));
    expect(registry.search("delete a folder")[0]?.tool.name).toBe("delete_folder");
    const session = createSession({
      registry,
      workspace: createWorkspace({ root: "." }),
      policy: createPolicy({ root: process.cwd() }),
    });
    expect(session.search("delete a folder", { limit: 1 })).toMatchObject([{ enabled: false }]);
    expect(session.search("read", { limit: 1 })).toMatchObject([
      { tool: { name: "read_file" }, enabled: true },
    ]);
    registry.deprecate("delete_folder", { replacement: "read_file" });
    expect(registry.search("delete folder").map((hit) => hit.tool.name)).not.toContain("delete_folder");
  });
});

describe("registry.tool", () => {
  it("takes options and a function, and gives the function back", () => {
    const registry = new ToolRegistry();
    const getWeather = ({ city }: { city: string }): string => `sunny in ${city}`;
    const same = registry.tool({
      description: "The weather of a city.",
      input: z.object({ city: z.string() }),
    })(getWeather);
    expect(same).toBe(getWeather);
    expect(registry.get("get_weather")).toMatchObject({
      description: "The weather of a city.",
      permission: "safe",
    });
    registry.tool({ name: "other", permission: "sensitive" })(() => 1);
    expect(registry.get("other")?.permission).toBe("sensitive");
  });

  it("takes a named function without parameters, and a defined tool", async () => {
    const registry = new ToolRegistry();
    registry.tool(function getHTTPStatus() {
      return 200;
    });
    const status = registry.require("get_http_status");
    expect(status.description).toBe("Get http status.");
    expect(status.jsonSchema).toMatchObject({ type: "object", properties: {}, additionalProperties: false });
    const defined = tool("defined");
    expect(registry.tool(defined)).toBe(defined);
    expect(() =>
      registry.tool(
        (
          () => () =>
            1
        )(),
      ),
    ).toThrow("a name is");
  });
});

describe("defineTool", () => {
  it.each([
    ["Bad", {}, "a name is"],
    ["a b", {}, "a name is"],
    ["a".repeat(65), {}, "a name is"],
    ["ok", { description: " " }, "the description is empty"],
    ["ok", { permission: "high" }, "permission is one of safe, sensitive, dangerous"],
    ["ok", { category: "files" }, "category is one of"],
    ["ok", { execute: undefined }, "execute is not a function"],
    ["ok", { version: "1.0" }, "version 1.0 is not a semver version"],
    ["ok", { version: "v1.0.0" }, "version v1.0.0 is not"],
    ["ok", { dependencies: { x: "not a range" } }, "dependencies.x is not a semver range"],
  ])("%s %j is refused", (name, more, message) => {
    expect(() => tool(name, more)).toThrow(message);
  });
});
