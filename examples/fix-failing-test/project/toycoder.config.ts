import { defineConfig } from "toycoder";

export default defineConfig({
  model: "auto",
  permissions: {
    // The agent may change the sources and run the tests. Nothing else needs a person's yes: it is refused.
    allow: ["edit_file(src/**)", "write_file(src/**)", "run_command(npm test)"],
    deny: ["exec:git push *", "read:.env*"],
    tests: [
      ["edit_file", { path: "src/total.js", old_string: "a", new_string: "b" }, "allow"],
      ["edit_file", { path: "test/total.test.js", old_string: "a", new_string: "b" }, "ask"],
      ["write_file", { path: "toycoder.config.ts", content: "" }, "deny"],
      ["run_command", { command: "npm test" }, "allow"],
      ["run_command", { command: "npm test && git push" }, "deny"],
      ["run_command", { command: "git push origin main" }, "deny"],
      ["read_file", { path: ".env.local" }, "deny"],
    ],
  },
  instructions: "Fix the code, never the tests. Run `npm test` before and after.",
});
