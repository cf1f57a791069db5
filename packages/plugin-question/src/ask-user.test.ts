import { type Ask, textOf } from "@toycoder/core";
import { runTool, tempWorkspace, toolBench } from "@toycoder/testing";
import { expect, test } from "vitest";
import { askUser } from "./ask-user.ts";

/** A person who answers with what `answer` makes of the question. */
const person = (answer: (question: string, options: readonly string[]) => string): Ask => ({
  question: async (question, options) => answer(question, options),
});

test("the answer is the result", async () => {
  using workspace = tempWorkspace();
  const ask = person((question) => `answer to: ${question}`);
  const result = await runTool(askUser, { question: "Which port?" }, { root: workspace.root, ask });
  expect(result).toMatchObject({ ok: true, output: "answer to: Which port?" });
});

test("the options reach the person", async () => {
  using workspace = tempWorkspace();
  const ask = person((_, options) => options.join(" or "));
  const args = { question: "Which one?", options: ["npm", "pnpm"] };
  const result = await runTool(askUser, args, { root: workspace.root, ask });
  expect(textOf(result.content)).toBe("npm or pnpm");
});

test("with nobody there, the failure says how to go on", async () => {
  using workspace = tempWorkspace();
  const result = await runTool(askUser, { question: "Which port?" }, { root: workspace.root });
  expect(result).toMatchObject({ ok: false, error: { code: "no_user" } });
  expect(textOf(result.content)).toMatch(/decide by yourself/);
});

test("it is never cut off by a time limit, but by the end of the run", async () => {
  using workspace = tempWorkspace();
  const run = new AbortController();
  const asked = Promise.withResolvers<void>();
  const ask: Ask = {
    question: (_question, _options, signal) => {
      asked.resolve();
      return new Promise((_resolve, reject) => {
        signal.addEventListener("abort", () => reject(new Error("interrupted")));
      });
    },
  };
  expect(askUser.timeoutFor({ question: "?", options: [] })).toBe(false);
  const pending = toolBench([askUser], { root: workspace.root, ask }).call(
    "ask_user",
    { question: "?" },
    run.signal,
  );
  await asked.promise;
  run.abort();
  expect(await pending).toMatchObject({ ok: false, error: { code: "cancelled" } });
});

test.each([
  [{}],
  [{ question: " " }],
  [{ question: "?", options: [""] }],
  [{ question: "?", choices: ["a"] }],
])("wrong arguments are refused and nobody is asked: %j", async (args) => {
  using workspace = tempWorkspace();
  const ask = person(() => expect.unreachable());
  const result = await runTool(askUser, args, { root: workspace.root, ask });
  expect(result).toMatchObject({ ok: false, error: { code: "invalid_arguments" } });
});

test("a safe tool needs no rule, and a deny rule holds", async () => {
  using workspace = tempWorkspace();
  const ask = person(() => "yes");
  const call = (deny: string[]) =>
    runTool(askUser, { question: "?" }, { root: workspace.root, ask, policy: { deny } });
  expect(await call([])).toMatchObject({ ok: true });
  expect(await call(["category:interaction"])).toMatchObject({
    ok: false,
    error: { code: "permission_denied" },
  });
});
