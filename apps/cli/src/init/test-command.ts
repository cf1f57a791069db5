import { existsSync } from "node:fs";
import path from "node:path";
import { foldersUpward, readManifest, readText } from "./project-file.ts";

/** How a project runs its tests, and what may follow the words. */
export interface TestCommand {
  command: string;
  /** The rule that allows it: with further arguments, where these cannot make it do something else. */
  rule: string;
}

const LOCKFILES: readonly (readonly [file: string, manager: string])[] = [
  ["pnpm-lock.yaml", "pnpm"],
  ["yarn.lock", "yarn"],
  ["bun.lock", "bun"],
  ["bun.lockb", "bun"],
  ["package-lock.json", "npm"],
];

/** The package manager by `packageManager` or a lockfile, here or above; npm where there is only a package.json. */
export function packageManager(folder: string): string | undefined {
  for (const at of foldersUpward(folder)) {
    const field = readManifest(at)?.["packageManager"];
    const [, named] = /^(npm|pnpm|yarn|bun)@/.exec(typeof field === "string" ? field : "") ?? [];
    if (named !== undefined) return named;
    const lockfile = LOCKFILES.find(([file]) => existsSync(path.join(at, file)));
    if (lockfile !== undefined) return lockfile[1];
  }
  return readManifest(folder) === undefined ? undefined : "npm";
}

/** The project's own test command, as its files say it. */
export function testCommand(folder: string): TestCommand | undefined {
  const has = (name: string): boolean => existsSync(path.join(folder, name));
  if (hasTestScript(folder)) {
    const manager = packageManager(folder) ?? "npm";
    return withArguments(manager === "bun" ? "bun run test" : `${manager} test`);
  }
  const python = pythonTests(folder);
  if (python !== undefined) return withArguments(python);
  if (has("Cargo.toml")) return withArguments("cargo test");
  if (has("go.mod")) return { command: "go test ./...", rule: "run_command(go test *)" };
  // What follows make's target would be further targets.
  if (/^test\s*:(?!=)/m.test(readText(folder, "Makefile") ?? ""))
    return { command: "make test", rule: "run_command(make test)" };
  return undefined;
}

/** A test command that a person names. */
export const withArguments = (command: string): TestCommand => ({
  command,
  rule: `run_command(${command} *)`,
});

function hasTestScript(folder: string): boolean {
  const scripts = readManifest(folder)?.["scripts"];
  const test =
    typeof scripts === "object" && scripts !== null ? (Reflect.get(scripts, "test") as unknown) : undefined;
  // What `npm init` writes.
  return typeof test === "string" && !test.includes("no test specified");
}

const PYTHON_FILES = ["pyproject.toml", "setup.cfg", "tox.ini", "requirements.txt", "requirements-dev.txt"];

function pythonTests(folder: string): string | undefined {
  const has = (name: string): boolean => existsSync(path.join(folder, name));
  const pytest =
    has("pytest.ini") ||
    has("conftest.py") ||
    PYTHON_FILES.some((file) => /\bpytest\b/.test(readText(folder, file) ?? ""));
  const python = pytest || has("setup.py") || PYTHON_FILES.some(has);
  if (!python || !(pytest || has("tests") || has("test"))) return undefined;
  const command = pytest ? "pytest" : "python -m unittest";
  if (has("uv.lock")) return `uv run ${command}`;
  return has("poetry.lock") ? `poetry run ${command}` : command;
}
