import { describe, expect, it } from "vitest";
import { z } from "zod";
import { ToolRegistry } from "./registry.ts";
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

describe("defineTool", () => {
  it.each([
    ["Bad", {}, "a name is"],
    ["a b", {}, "a name is"],
    ["a".repeat(65), {}, "a name is"],
    ["ok", { description: " " }, "the description is empty"],
    ["ok", { permission: "high" }, "permission is one of safe, sensitive, dangerous"],
    ["ok", { category: "files" }, "category is one of"],
    ["ok", { execute: undefined }, "execute is not a function"],
  ])("%s %j is refused", (name, more, message) => {
    expect(() => tool(name, more)).toThrow(message);
  });
});
