import { execFileSync } from "node:child_process";
import { fileURLToPath } from "node:url";
import { tempWorkspace } from "@toycoder/testing";
import { expect, it } from "vitest";

const RUNNER = fileURLToPath(new URL("test-support/long-runner.ts", import.meta.url));

interface Report {
  status: string;
  parts: { megabytes: number; turnMs: number }[];
}

it("2,000 turns: memory grows by 30 MB at most after the first 200, and a turn takes as long as ever", () => {
  using workspace = tempWorkspace();
  const args = ["--expose-gc", "--conditions=@toycoder/source", RUNNER, workspace.root, "2000"];
  const out = execFileSync(process.execPath, args, { encoding: "utf8" });
  const { status, parts } = JSON.parse(out) as Report;
  expect(status).toBe("completed");
  expect(parts).toHaveLength(10);
  expect(parts.at(-1)!.megabytes - parts[0]!.megabytes).toBeLessThan(30);
  // Of two halves after warming up, so that a slow moment of the machine weighs little.
  const typical = (some: Report["parts"]): number =>
    some.map(({ turnMs }) => turnMs).toSorted((a, b) => a - b)[some.length >> 1]!;
  expect(typical(parts.slice(6))).toBeLessThan(2 * typical(parts.slice(1, 5)));
});
