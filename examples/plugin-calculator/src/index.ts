export { type CalculateInput, makeCalculate } from "./calculate.ts";
export { Calculator } from "./calculator.ts";
export type { Answer } from "./format-number.ts";
export { type CalculatorOptions, calculatorPlugin, calculatorPlugin as default } from "./plugin.ts";
