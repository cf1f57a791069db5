import { describe, expect, it } from "vitest";
import { z } from "zod";
import { definePlugin, isPlugin, isPluginFactory } from "./plugin.ts";

const ctx = { root: "/", secretVariables: [] };

describe("definePlugin", () => {
  const factory = definePlugin({
    name: "demo",
    version: "1.2.3",
    api: 1,
    options: z.strictObject({ seconds: z.number().default(60) }),
    setup: ({ seconds }) => ({ tools: [], instructions: `${seconds}` }),
  });

  it("can be read without running it", () => {
    expect([factory.pluginName, factory.version, factory.api]).toEqual(["demo", "1.2.3", 1]);
    expect(isPluginFactory(factory)).toBe(true);
    expect(isPlugin(factory)).toBe(false);
    expect(isPlugin(factory())).toBe(true);
  });

  it("validates its options with the key's path", async () => {
    expect(await factory().setup(ctx)).toMatchObject({ instructions: "60" });
    expect(await factory({ seconds: 5 }).setup(ctx)).toMatchObject({ instructions: "5" });
    await expect(factory({ seconds: "x" as never }).setup(ctx)).rejects.toThrow(/^plugin demo: seconds: /);
    await expect(factory({ second: 1 } as never).setup(ctx)).rejects.toThrow(/second/);
  });

  it("takes no options without a schema", async () => {
    const plain = definePlugin({ name: "plain", version: "1.0.0", api: 1, setup: () => ({ tools: [] }) });
    await expect(plain({ x: 1 } as never).setup(ctx)).rejects.toThrow("plugin plain: x: it takes no options");
  });
});
