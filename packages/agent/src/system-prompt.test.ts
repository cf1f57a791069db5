import { createPolicy, type PolicyOptions } from "@toycoder/core";
import { expect, it } from "vitest";
import { describePolicy } from "./describe-policy.ts";
import { systemPrompt } from "./system-prompt.ts";

const policy = (options: Omit<PolicyOptions, "root">) => createPolicy({ root: "/w", ...options });

it("says the workspace, the day, the policy and that nobody is there, then the instructions", () => {
  const facts = { workspace: "/w", date: "2026-01-31", platform: "linux", attended: false };
  const prompt = systemPrompt({ ...facts, policy: policy({}), instructions: ["Use tabs.", " ", "Be kind."] });
  expect(prompt).toContain("You work in the folder /w (linux, 2026-01-31)");
  expect(prompt).toContain("Nobody is there to answer or approve");
  expect(prompt.endsWith("Anything else that changes something is refused.\n\nUse tabs.\n\nBe kind.")).toBe(
    true,
  );
});

it("tells the policy in two lines", () => {
  const rules = {
    allow: ["write:src/**", "run_command(npm test *)"],
    deny: ["read:.env*"],
    ask: ["exec:git *"],
  };
  expect(describePolicy(policy(rules), false)).toBe(
    "Allowed: reading in the folder, write:src/**, run_command(npm test *).\nDenied: read:.env*. Anything else that changes something is refused (so is exec:git *).",
  );
  expect(describePolicy(policy({ levels: { sensitive: "allow" } }), true)).toBe(
    "Allowed: reading in the folder, level:sensitive.\nAnything else that changes something is asked about.",
  );
  expect(describePolicy(policy({ onAsk: "allow" }), false)).toContain("is allowed.");
});

it("names only the first of very many rules", () => {
  const allow = Array.from({ length: 500 }, (_, n) => `write:src/folder-${n}/**`);
  const told = describePolicy(policy({ allow }), false);
  expect(told.length).toBeLessThan(700);
  expect(told).toMatch(/, and \d+ more\.\n/);
});
