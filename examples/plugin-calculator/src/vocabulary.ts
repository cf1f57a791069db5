import type { BigNumber, MathJsInstance } from "mathjs";

/** Functions of the library that are known by their name; all others, such as import or evaluate, are not. */
export const FUNCTIONS: ReadonlySet<string> = new Set([
  "abs", "acos", "asin", "atan", "atan2", "cbrt", "ceil", "combinations", "cos", "cosh", "exp", "factorial", "fix", "floor", "gcd",
  "hypot", "lcm", "ln", "log", "log10", "log2", "max", "mean", "median", "min", "mod", "nthRoot", "permutations", "pow", "prod",
  "round", "sign", "sin", "sinh", "sqrt", "std", "sum", "tan", "tanh", "variance",
]); // prettier-ignore

export const CONSTANTS: ReadonlySet<string> = new Set(["deg", "e", "phi", "pi", "tau"]);

/** Operators by the function that they stand for. */
export const OPERATORS: ReadonlySet<string> = new Set([
  "add", "divide", "factorial", "mod", "multiply", "pow", "subtract", "unaryMinus", "unaryPlus",
]); // prettier-ignore

/** What the library has not, or not as people expect it: sin(pi) is 0, though pi has but 64 digits. */
export function additions(math: MathJsInstance): Record<string, unknown> {
  const zero = math.bignumber(0);
  const snap = (of: (x: BigNumber) => BigNumber) => (given: unknown) => {
    const x = math.bignumber(given as BigNumber);
    const value = of(x);
    return x.abs().gt(1) && value.abs().lt("1e-60") ? zero : value;
  };
  const sin = snap((x) => math.sin(x));
  const cos = snap((x) => math.cos(x));
  return {
    sin,
    cos,
    tan: (x: unknown) => sin(x).div(cos(x)),
    ln: (x: BigNumber) => math.log(x),
    deg: math.acos(math.bignumber(-1)).div(180),
  };
}
