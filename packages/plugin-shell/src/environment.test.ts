import { expect, test } from "vitest";
import { commandEnvironment } from "./environment.ts";

const source = {
  HOME: "/home/x",
  GITHUB_TOKEN: "t",
  ANTHROPIC_API_KEY: "t",
  AWS_SECRET: "t",
  db_password: "t",
  TOKEN: "t",
  KEY: "t",
  DATABASE_URL: "postgres://u:p@h",
  KEYBOARD: "us",
  MONKEY: "x",
  BASH_ENV: "/tmp/x",
  "BASH_FUNC_git%%": "() { rm x; }",
  SHELLOPTS: "xtrace",
  GITHUB_ENV: "/tmp/env",
  GITHUB_STEP_SUMMARY: "/tmp/summary",
  GITHUB_SHA: "abc",
  CI: "",
};

test("secrets, what changes the shell and the files of a CI runner are left out", () => {
  const { CI, GIT_EDITOR, GIT_TERMINAL_PROMPT, NO_COLOR, PAGER, ...rest } = commandEnvironment(source, {
    secretVariables: ["DATABASE_URL"],
  });
  expect(rest).toEqual({ HOME: "/home/x", GITHUB_SHA: "abc", KEYBOARD: "us", MONKEY: "x" });
  expect([CI, GIT_EDITOR, GIT_TERMINAL_PROMPT, NO_COLOR, PAGER]).toEqual(["1", "true", "0", "1", "cat"]);
});

test("env adds back by name, and by value", () => {
  expect(commandEnvironment(source, { env: ["GITHUB_TOKEN", "NONE"] })).toMatchObject({ GITHUB_TOKEN: "t" });
  const given = commandEnvironment(source, {
    secretVariables: ["DATABASE_URL"],
    env: { DATABASE_URL: true, PAGER: "less", X: "1" },
  });
  expect(given).toMatchObject({ DATABASE_URL: "postgres://u:p@h", PAGER: "less", X: "1" });
  expect(given).not.toHaveProperty("GITHUB_TOKEN");
});
