import { definePlugin, type Plugin, type PluginFactory } from "@toycoder/core";
import { expectTypeOf, test } from "vitest";
import { defineConfig, type ToycoderConfig } from "./define-config.ts";

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
  expectTypeOf(defineConfig).parameters.toEqualTypeOf<[ToycoderConfig]>();
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
  // @ts-expect-error not in this version
  defineConfig({ profiles: {} });
});
