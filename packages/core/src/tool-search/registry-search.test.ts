import { expect, test } from "vitest";
import * as z from "zod";
import { ToolRegistry } from "../registry.ts";
import { defineTool, type Tool, type ToolOptions } from "../tool.ts";

const define = (name: string, more: Partial<ToolOptions<object, object, string>> = {}): Tool =>
  defineTool({ name, description: `Does ${name}.`, input: z.object({}), execute: () => "", ...more });

const names = (registry: ToolRegistry, request: string): string[] =>
  registry.search(request).map((hit) => hit.tool.name);

test("search sees every change of the registry", () => {
  const registry = new ToolRegistry();
  expect(names(registry, "report")).toEqual([]);
  registry.register(define("write_report"));
  expect(names(registry, "report")).toEqual(["write_report"]);
  registry.registerMany([define("send_report"), define("read_report")]);
  expect(names(registry, "report").toSorted()).toEqual(["read_report", "send_report", "write_report"]);
  registry.unregister("send_report");
  expect(names(registry, "report").toSorted()).toEqual(["read_report", "write_report"]);
  registry.deprecate("read_report", { replacement: "write_report" });
  expect(names(registry, "report")).toEqual(["write_report"]);
  registry.register(define("write_report", { version: "2.0.0", description: "Draws a chart." }));
  expect(names(registry, "chart")).toEqual(["write_report"]);
  registry.activate("write_report", "1.0.0");
  expect(names(registry, "chart")).toEqual([]);
});

test("a registration that fails leaves the search as it was", () => {
  const registry = new ToolRegistry();
  registry.register(define("write_report"));
  names(registry, "report");
  expect(() => registry.registerMany([define("send_report"), define("write_report")])).toThrow(/registered/);
  expect(names(registry, "report")).toEqual(["write_report"]);
});

test("search finds dangerous tools, too, and keeps to the limit", () => {
  const registry = new ToolRegistry();
  registry.registerMany([define("run_a", { permission: "dangerous" }), define("run_b"), define("run_c")]);
  expect(names(registry, "run")).toEqual(["run_a", "run_b", "run_c"]);
  expect(registry.search("run", { limit: 2 })).toHaveLength(2);
});

test("search reads the descriptions of a zod schema's parameters", () => {
  const registry = new ToolRegistry();
  const input = z.object({ zip: z.string().describe("Postal code of the recipient") });
  registry.register(defineTool({ name: "look_up", description: "Looks up.", input, execute: () => "" }));
  expect(names(registry, "postal code")).toEqual(["look_up"]);
});
