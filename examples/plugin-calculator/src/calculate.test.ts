import { textOf } from "@toycoder/core";
import { tempWorkspace, toolBench } from "@toycoder/testing";
import { afterAll, expect, test } from "vitest";
import { makeCalculate } from "./calculate.ts";
import { Calculator } from "./calculator.ts";

const workspace = tempWorkspace();
const calculator = new Calculator();
const bench = toolBench([makeCalculate(calculator, { timeoutSeconds: 60, maxLength: 1000 })], {
  root: workspace.root,
});
afterAll(async () => {
  await calculator.dispose();
  workspace.dispose();
});

const say = async (expression: string, digits?: number): Promise<string> =>
  textOf((await bench.call("calculate", { expression, ...(digits !== undefined && { digits }) })).content);

test.each([
  ["0.1 + 0.2", "= 0.3"],
  ["1 - 0.9", "= 0.1"],
  ["1.005 * 1000", "= 1005"],
  ["2^64", "= 18446744073709551616"],
  ["9007199254740993 - 1", "= 9007199254740992"],
  ["123456789.123456789 * 2", "= 246913578.246913578"],
  ["-2^2", "= -4"],
  ["2^3^2", "= 512"],
  ["2(3 + 4)", "= 14"],
  ["10 mod 3", "= 1"],
  ["200 + 10%", "= 220"],
  ["25!", "= 15511210043330985984000000"],
  ["6 × 7 − 84 ÷ 2", "= 0"],
  ["round(2.567, 2)", "= 2.57"],
  ["round(2.49999999999999999)", "= 2"],
  ["floor(0.29 * 100)", "= 29"],
  ["cbrt(-8)", "= -2"],
  ["sin(pi)", "= 0"],
  ["sin(30 deg)", "= 0.5"],
  ["2^200 mod 1000007", "= 446616"],
  ["mean(1, 2, 6) + gcd(12, 18)", "= 9"],
  ["1e-9", "= 1e-9"],
  ["0x1F", "= 31"],
])("%s %s", async (expression, value) => {
  expect(await say(expression)).toBe(value);
});

test.each([
  ["1 / 3", 5, "≈ 0.33333"],
  ["2 / 3", undefined, "≈ 0.666666666666667"],
  ["ln(e^3)", 15, "≈ 3"],
  ["log(8, 2)", 15, "≈ 3"],
  ["2 / 3 * 1e30", 3, "≈ 667000000000000000000000000000"],
  ["100!", undefined, "≈ 9.33262154439442e+157"],
  ["-1 / 7e20", 4, "≈ -1.429e-21"],
])("a long value is rounded, and says so: %s", async (expression, digits, value) => {
  expect(await say(expression, digits)).toBe(value);
});

test.each([
  ["3 +", "syntax_error", "3 +\n     ^ at 4"],
  ["(1 + 2", "syntax_error", "(1 + 2\n        ^ at 7"],
  ["2 ** 3", "syntax_error", "2 ** 3\n     ^ at 4\nHint: a power is written 2^3"],
  ["1,000 + 1", "syntax_error", "1,000 + 1\n   ^ at 2\nHint: numbers are written without commas"],
  ["a = 5", "syntax_error", "a = 5\n    ^ at 3"],
  ["1; 2", "syntax_error", "1; 2\n   ^ at 2"],
  ['"a"', "syntax_error", "^ at 1"],
  ["[1, 2]", "syntax_error", "^ at 1"],
  ["sqrt + 1", "syntax_error", "sqrt is a function"],
  ["pi(2)", "syntax_error", "pi is a constant"],
  ["2 + sqtr(4)", "unknown_name", "2 + sqtr(4)\n      ^ at 5\nHint: did you mean sqrt?"],
  ["2x + 1", "unknown_name", "2x + 1\n   ^ at 2"],
  ["i * i", "unknown_name", "i is not known"],
  ["sqrt()", "wrong_arguments", "^ at 1"],
  ["1 + sqrt(1, 2, 3)", "wrong_arguments", "^ at 5"],
  ["1 and 2", "not_allowed", "1 and 2\n    ^ at 3"],
  ["1 / (2 - 2)", "division_by_zero", "it divides by zero"],
  ["0 / 0", "division_by_zero", "it divides by zero"],
  ["sqrt(-1)", "not_a_number", "no real number"],
  ["(-8)^(1/3)", "not_a_number", "no real number"],
])("what has no value says why, and where: %s", async (expression, code, says) => {
  const said = await say(expression);
  expect(said).toContain(`Error (${code}): `);
  expect(said).toContain(says);
});

test.each([
  "import(1)",
  "createUnit(1)",
  "evaluate(1)",
  "parse(1)",
  "simplify(1)",
  "derivative(1, x)",
  "config(1)",
  "compile(1)",
  "constructor(1)",
  "zeros(1e6, 1e6)",
  "range(1, 1e9)",
  "random()",
  "__proto__",
  "abs.constructor(1)",
  "bignumber(1)",
])("there is no way out of arithmetic: %s", async (expression) => {
  expect(await say(expression)).toMatch(/^Error \((unknown_name|syntax_error|not_allowed)\)/);
});

test.each(["9^9^9^9", "1e9000000000000000 * 10", "sin(1e1000000)", "2^300 mod 7", "gcd(1e70, 3)"])(
  "a number that is too large: %s",
  async (one) => {
    expect(await say(one)).toContain("Error (too_large)");
  },
);

test("after a calculation that broke off, the next one is as right as before", async () => {
  // In the library, this leaves all numbers with another rounding.
  expect(await say("sin(1e1000000)")).toContain("Error");
  expect(await say("round(2.567, 2)")).toBe("= 2.57");
});

test.each([
  ["x".repeat(1_000_000), "Error (invalid_arguments): expression"],
  [
    `${"(".repeat(400)}1${")".repeat(400)}`,
    "Error (too_complex): brackets are nested more than 100 deep\n  …",
  ],
  [`${"-".repeat(999)}1`, "= -1"],
  [`1${"^1".repeat(499)}`, "= 1"],
  [`1${"!".repeat(999)}`, "= 1"],
])("a long or deep expression comes to an end: %.9s…", async (expression, says) => {
  expect(await say(expression)).toContain(says);
});
