import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { summarize } from "./summary.mjs";

let root;
let lines;
beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), "summary-"));
  lines = [];
  vi.spyOn(console, "log").mockImplementation((text) => lines.push(text));
  vi.stubEnv("CI_STRICT", "");
});
afterEach(() => {
  vi.restoreAllMocks();
  vi.unstubAllEnvs();
  rmSync(root, { recursive: true, force: true });
});

function report(folder, kind, suites) {
  const testResults = suites.map(({ file, status = "passed", message = "", tests }) => ({
    name: join(root, folder, file),
    status,
    message,
    assertionResults: Object.entries(tests).map(([title, state]) => ({
      ancestorTitles: ["g"],
      title,
      status: state,
    })),
  }));
  mkdirSync(join(root, folder, ".reports"), { recursive: true });
  writeFileSync(join(root, folder, ".reports", `${kind}.json`), JSON.stringify({ testResults }));
}

const lastLine = () => lines.join("\n").split("\n").at(-1);

test("adds up packages and kinds", () => {
  report("packages/a", "test", [{ file: "a.test.ts", tests: { one: "passed", two: "passed" } }]);
  report("apps/cli", "test", [{ file: "b.test.ts", tests: { one: "passed" } }]);
  report("packages/a", "soak", [{ file: "a.soak.test.ts", tests: { three: "passed" } }]);
  expect(summarize(["test"], root)).toBe(0);
  expect(lastLine()).toBe("3 passed, 0 failed");
  expect(summarize(["test", "soak"], root)).toBe(0);
  expect(lastLine()).toBe("4 passed, 0 failed");
});

test("names failed and skipped tests, and files that did not load", () => {
  report("packages/a", "test", [
    { file: "a.test.ts", status: "failed", tests: { one: "failed", two: "pending", three: "passed" } },
    { file: "b.test.ts", status: "failed", message: "SyntaxError: no\n at x", tests: {} },
  ]);
  expect(summarize(["test"], root)).toBe(1);
  const text = lines.join("\n");
  expect(text).toContain("packages/a/a.test.ts > g > one");
  expect(text).toContain("packages/a/b.test.ts: SyntaxError: no");
  expect(text).toMatch(/Skipped:\n {2}packages\/a\/a\.test\.ts > g > two/);
  expect(lastLine()).toBe("1 passed, 2 failed, 1 skipped");
});

test("a skip fails only when CI_STRICT is set", () => {
  report("packages/a", "test", [{ file: "a.test.ts", tests: { one: "passed", two: "skipped" } }]);
  expect(summarize(["test"], root)).toBe(0);
  vi.stubEnv("CI_STRICT", "1");
  expect(summarize(["test"], root)).toBe(1);
  expect(lastLine()).toBe("1 passed, 0 failed, 1 skipped");
});

test("no test at all fails, and so does a broken report", () => {
  expect(summarize(["test"], root)).toBe(1);
  expect(summarize(["soak"], root)).toBe(0);
  report("packages/a", "test", [{ file: "a.test.ts", tests: { one: "passed" } }]);
  mkdirSync(join(root, "packages/b/.reports"), { recursive: true });
  writeFileSync(join(root, "packages/b/.reports/test.json"), "{");
  expect(summarize(["test"], root)).toBe(1);
  expect(lastLine()).toBe("1 passed, 1 failed");
});
