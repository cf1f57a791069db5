import mathjs from "mathjs/lib/browser/math.js";
import type { BigNumber, MathJsInstance, MathNode, OperatorNode } from "mathjs";
import { plainSigns } from "./check-text.ts";
import { checkTree, placeOf } from "./check-tree.ts";
import type { Problem } from "./problem.ts";
import { additions } from "./vocabulary.ts";

/** The value with all its digits, or why there is none. */
export type Reply = { value: string } | Problem;

/** `predictable`: the root of a negative number is no complex one. The tolerances are for 64 digits, not 15. */
const CONFIG = {
  number: "BigNumber",
  precision: 64,
  predictable: true,
  relTol: 1e-60,
  absTol: 1e-60,
} as const;

type Scope = Record<string, unknown>;

let math: MathJsInstance | undefined;

/** Evaluates an expression; of what is not arithmetic, nothing is. Takes as long as it takes. */
export function evaluate(expression: string): Reply {
  math ??= mathjs.create(CONFIG);
  try {
    const tree = math.parse(plainSigns(expression));
    const problem = checkTree(tree, expression);
    if (problem !== undefined) return problem;
    const scope = additions(math);
    const value: unknown = tree.evaluate(scope);
    if (!math.isBigNumber(value)) return { code: "not_a_number", message: "the result is no number" };
    if (!value.isFinite()) return infinite(value, tree, scope);
    return lostDigits(tree, scope) ?? { value: value.toString() };
  } catch (error) {
    // A calculation that broke off can leave the numbers' rounding as it needed it in between.
    math = undefined;
    return problemOf(error, expression);
  }
}

function infinite(value: BigNumber, tree: MathNode, scope: Scope): Problem {
  const divisions = argumentsOf(["divide"], tree, scope);
  if (divisions.some(([, divisor]) => divisor?.isZero() === true))
    return { code: "division_by_zero", message: "it divides by zero" };
  if (value.isNaN())
    return { code: "not_a_number", message: "the result is no real number, as the square root of -1" };
  return { code: "too_large", message: "the result is too large to be written down" };
}

/** A remainder needs all digits of an integer: without the last ones it would be wrong, not rounded. */
function lostDigits(tree: MathNode, scope: Scope): Problem | undefined {
  const numbers = argumentsOf(["mod", "gcd", "lcm"], tree, scope).flat();
  if (!numbers.some((number) => number?.abs().gte(`1e${CONFIG.precision}`) === true)) return undefined;
  const message = `mod, gcd and lcm take numbers of up to ${CONFIG.precision} digits`;
  return { code: "too_large", message };
}

/** The values of what operators and functions of these names are called with. */
function argumentsOf(names: readonly string[], tree: MathNode, scope: Scope): (BigNumber | undefined)[][] {
  const found = tree.filter((node) => {
    const { fn } = node as { fn?: string | { name: string } };
    return fn !== undefined && names.includes(typeof fn === "string" ? fn : fn.name);
  });
  return found.map((node) =>
    (node as OperatorNode).args.map((argument) => {
      const value: unknown = argument.evaluate(scope);
      return math?.isBigNumber(value) === true ? value : undefined;
    }),
  );
}

function problemOf(error: unknown, expression: string): Problem {
  const message = error instanceof Error ? error.message : String(error);
  const { char, data } = error as { char?: number; data?: { fn?: string } };
  if (char !== undefined) {
    const at = Math.min(Math.max(char - 1, 0), expression.length);
    return {
      code: "syntax_error",
      message: message.replace(/ \(char \d+\)$/, ""),
      at,
      ...hintFor(expression, at),
    };
  }
  if (/Precision limit exceeded/.test(message))
    return { code: "too_large", message: "a number is too large for this function" };
  if (error instanceof RangeError && /call stack/.test(message))
    return { code: "too_complex", message: "the expression is nested too deep" };
  const at = data?.fn === undefined ? undefined : placeOf(data.fn, expression);
  return { code: "wrong_arguments", message, ...(at !== undefined && { at }) };
}

/** Habits of other notations. */
function hintFor(expression: string, at: number): { hint?: string } {
  if (expression.slice(at - 1, at + 1) === "**") return { hint: "a power is written 2^3" };
  if (expression[at] === ",") return { hint: "numbers are written without commas: 1000000.5" };
  return {};
}
