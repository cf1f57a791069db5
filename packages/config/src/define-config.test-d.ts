import { definePlugin, type InputSchema, type Plugin, type PluginFactory } from "@toycoder/core";
import { expectTypeOf, test } from "vitest";
import { defineConfig, type PluginEntry, type ToycoderConfig } from "./define-config.ts";

declare const factory: PluginFactory<{ port: number }>;
declare const plugin: Plugin;

test("a config with everything in it", () => {
  const config = defineConfig({
    model: "anthropic:x",
    plugins: [
      "files",
      ["shell", { timeoutSeconds: 60 }],
      factory,
      factory({ port: 1 }),
      [factory, { port: 1 }],
      plugin,
    ],
    permissions: { levels: { dangerous: "allow" }, tests: [["run_command", { command: "x" }, "deny"]] },
    credentials: { a: "A", b: { env: "B" } },
  });
  expectTypeOf(config).toEqualTypeOf<ToycoderConfig>();
});

test("conditions give falsy entries, lists nest", () => {
  expectTypeOf<ToycoderConfig>().toExtend<Parameters<typeof defineConfig>[0]>();
  const ci = process.env.CI && "x";
  defineConfig({ plugins: [ci, false, null, undefined, ["files", ["search", plugin]]] });
  defineConfig({
    plugins: [definePlugin({ name: "x", version: "1.0.0", api: 1, setup: () => ({ tools: [] }) })],
  });
});

test("what is wrong", () => {
  expectTypeOf<{ permisions: {} }>().not.toExtend<ToycoderConfig>();
  // @ts-expect-error an unknown key
  defineConfig({ permisions: {} });
  // @ts-expect-error a wrong decision
  defineConfig({ permissions: { tests: [["a", {}, "maybe"]] } });
  // @ts-expect-error a number is no plugin
  defineConfig({ plugins: [5] });
  // @ts-expect-error no level of permission
  defineConfig({ mcpServers: { a: { command: "a", permission: "always" } } });
  // @ts-expect-error the hooks of the config hold in every profile
  defineConfig({ profiles: { ci: { hooks: {} } } });
});

test("the options of a pair are those of its factory", () => {
  const lists = definePlugin({
    name: "x",
    version: "1.0.0",
    api: 1,
    options: {} as InputSchema<{ env?: string[]; mode?: "a" | "b" }, unknown>,
    setup: () => ({ tools: [] }),
  });
  const none = definePlugin({ name: "y", version: "1.0.0", api: 1, setup: () => ({ tools: [] }) });
  defineConfig({
    plugins: ["files", [lists, { env: ["A"], mode: "b" }], [factory, { port: 1 }], [none, {}]],
  });
  defineConfig({ plugins: [["files", [factory, { port: 1 }]], [factory]] });
  // @ts-expect-error a port is a number
  defineConfig({ plugins: ["files", [factory, { port: "1" }]] });
  // @ts-expect-error no such mode
  defineConfig({ plugins: [[lists, { mode: "c" }]] });
  // @ts-expect-error no such option
  defineConfig({ plugins: [[lists, { modus: "b" }]] });
  // @ts-expect-error it takes none
  defineConfig({ plugins: [[none, { x: 1 }]] });
  // @ts-expect-error a port is a number
  factory({ port: "1" });
  const entries: PluginEntry[] = ["files", [factory, { port: 1 }]];
  expectTypeOf(defineConfig({ plugins: entries })).toEqualTypeOf<ToycoderConfig>();
});
