import { defineConfig } from "toycoder";

/** For work on ToyCoder itself: the agent edits sources, tests and docs, and runs the project's checks. */
export default defineConfig({
  model: "auto",
  permissions: {
    allow: [
      "edit_file(packages/**)",
      "edit_file(apps/**)",
      "edit_file(docs/**)",
      "write_file(packages/**)",
      "write_file(apps/**)",
      "write_file(docs/**)",
      "write_file(.changeset/*.md)",
      "run_command(npm test *)",
      "run_command(npm run lint)",
      "run_command(npm run typecheck)",
      "run_command(npm run format)",
      "run_command(npm run check:layers)",
      "run_command(git status *)",
    ],
    deny: ["exec:git push *", "exec:npm publish *", "exec:pnpm publish *", "read:.env*"],
    protect: [".github/", ".ci/", "pnpm-lock.yaml", "LICENSE"],
    tests: [
      ["run_command", { command: "npm test" }, "allow"],
      ["run_command", { command: "git push" }, "deny"],
      ["edit_file", { path: "packages/core/src/index.ts", old_string: "a", new_string: "b" }, "allow"],
      ["write_file", { path: ".github/workflows/ci.yml", content: "" }, "deny"],
      ["write_file", { path: "toycoder.config.ts", content: "" }, "deny"],
      ["read_file", { path: ".env" }, "deny"],
    ],
  },
  instructions: "AGENTS.md at the root says how this repository works: read it first.",
});
