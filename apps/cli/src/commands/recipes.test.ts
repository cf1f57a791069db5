import { readFileSync } from "node:fs";
import { tempWorkspace } from "@toycoder/testing";
import { describe, expect, it } from "vitest";
import { runToycoder } from "../test-support/run-toycoder.ts";

const DOCUMENT = readFileSync(new URL("../../../../docs/permissions.md", import.meta.url), "utf8");
const RECIPES = [...DOCUMENT.matchAll(/\n([^\n]+):\n\n```ts\n(.*?)```/gs)].map(
  ([, title = "", code = ""]) => ({ title, code }),
);

describe("the recipes of docs/permissions.md", () => {
  it("are there", () => {
    expect(RECIPES.length).toBeGreaterThanOrEqual(3);
  });

  it.each(RECIPES)("$title: its policy tests hold", async ({ code }) => {
    using folder = tempWorkspace({ "toycoder.config.ts": code, ".env": "KEY=1\n", "src/index.ts": "" });
    const { stdout, code: exitCode } = await runToycoder(["check", "--json"], { cwd: folder.root });
    const { policyTests } = JSON.parse(stdout) as { policyTests: { passed: number; failed: unknown[] } };
    expect(policyTests.failed).toEqual([]);
    expect(policyTests.passed).toBeGreaterThan(3);
    expect(exitCode).toBe(0);
  });
});
