import { definePlugin, type PluginFactory } from "@toycoder/core";
import { z } from "zod";
import { makeCalculate } from "./calculate.ts";
import { Calculator } from "./calculator.ts";

/** What a config can say: ["toycoder-plugin-calculator", { timeoutSeconds: 2 }]. */
export interface CalculatorOptions {
  /** How long a call may take. Default 5. */
  timeoutSeconds?: number | undefined;
  /** Characters of an expression. Default 1,000. */
  maxLength?: number | undefined;
}

/** Brings `calculate`. Its thread starts with the first call and ends with the run. */
export const calculatorPlugin: PluginFactory<CalculatorOptions> = definePlugin({
  name: "calculator",
  version: "0.1.0",
  api: 1,
  options: z.strictObject({
    timeoutSeconds: z.number().positive().max(60).default(5),
    maxLength: z.number().int().min(1).max(10_000).default(1000),
  }),
  setup: (settings) => {
    const calculator = new Calculator();
    return { tools: [makeCalculate(calculator, settings)], dispose: () => calculator.dispose() };
  },
});
