// Runs turbo without telemetry. `node scripts/turbo.mjs run <task…>`, from an npm script.
import { spawnSync } from "node:child_process";
import { resolve } from "node:path";
import { fileURLToPath } from "node:url";

/** The exit code of `turbo <args>`. */
export function turbo(args) {
  const result = spawnSync("turbo", args, {
    cwd: fileURLToPath(new URL("..", import.meta.url)),
    stdio: "inherit",
    shell: process.platform === "win32",
    env: { ...process.env, TURBO_TELEMETRY_DISABLED: "1", DO_NOT_TRACK: "1" },
  });
  if (result.error)
    console.error(`turbo did not start (run \`npm run setup\` first): ${result.error.message}`);
  return result.status ?? 1;
}

if (process.argv[1] && resolve(process.argv[1]) === fileURLToPath(import.meta.url)) {
  process.exitCode = turbo(process.argv.slice(2));
}
