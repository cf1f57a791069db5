import { textOf } from "@toycoder/core";
import { tempWorkspace, toolBench } from "@toycoder/testing";
import { expect, test } from "vitest";
import { makeCalculate } from "./calculate.ts";
import { Calculator } from "./calculator.ts";

const ENDLESS = "factorial(1e9)";

test("at the time limit a calculation ends, and the next call is answered", async () => {
  using workspace = tempWorkspace();
  const calculator = new Calculator();
  const bench = toolBench([makeCalculate(calculator, { timeoutSeconds: 1, maxLength: 1000 })], {
    root: workspace.root,
  });
  try {
    const result = await bench.call("calculate", { expression: ENDLESS });
    expect(textOf(result.content)).toContain("Error (timeout)");
    // A thread of its own again, with a limit that its start fits in.
    expect(await calculator.evaluate("1 + 1", new AbortController().signal)).toEqual({ value: "2" });
  } finally {
    await calculator.dispose();
  }
});

test("calls side by side don't wait for each other; an aborted one ends", async () => {
  const calculator = new Calculator();
  const run = new AbortController();
  const endless = calculator.evaluate(ENDLESS, run.signal);
  const { signal } = new AbortController();
  expect(await calculator.evaluate("2 * 3", signal)).toEqual({ value: "6" });
  run.abort(new Error("enough"));
  await expect(endless).rejects.toThrow("enough");
  await calculator.dispose();
});

test("dispose ends what is under way, and it can be used again", async () => {
  const calculator = new Calculator();
  const { signal } = new AbortController();
  const endless = calculator.evaluate(ENDLESS, signal);
  await Promise.all([expect(endless).rejects.toThrow("ended"), calculator.dispose()]);
  expect(await calculator.evaluate("2 * 3", signal)).toEqual({ value: "6" });
  await calculator.dispose();
});

test("a thread that runs out of memory ends alone", async () => {
  // Too little for the library itself.
  const calculator = new Calculator({ maxOldGenerationSizeMb: 4 });
  const reply = await calculator.evaluate("1 + 1", new AbortController().signal);
  expect(reply).toEqual({ code: "too_large", message: "the calculation needs too much memory" });
  await calculator.dispose();
});
