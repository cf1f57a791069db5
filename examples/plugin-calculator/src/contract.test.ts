import { describePlugin, describeTool } from "@toycoder/testing";
import { afterAll, describe, test } from "vitest";
import manifest from "../package.json" with { type: "json" };
import { makeCalculate } from "./calculate.ts";
import { Calculator } from "./calculator.ts";
import { calculatorPlugin } from "./plugin.ts";

const calculator = new Calculator();
afterAll(() => calculator.dispose());

describeTool(
  {
    tool: makeCalculate(calculator, { timeoutSeconds: 60, maxLength: 100 }),
    examples: [
      { input: { expression: "1 + 1" } },
      { input: { expression: "1 / 3", digits: 64 } },
      { input: { expression: "1 +" }, fails: "syntax_error" },
    ],
    wrong: [
      { input: { expression: " " }, says: "expression" },
      { input: { expression: "1".repeat(101) }, says: "expression" },
      { input: { expression: "1", digits: 0 }, says: "digits" },
    ],
    slow: { expression: "factorial(1e9)" },
  },
  { describe, test },
);

describePlugin(
  {
    plugin: calculatorPlugin,
    manifest,
    entry: import.meta.resolve("./index.ts"),
    options: { timeoutSeconds: 1 },
    wrongOptions: [{ options: { maxLength: 0 }, path: "maxLength" }],
  },
  { describe, test },
);
