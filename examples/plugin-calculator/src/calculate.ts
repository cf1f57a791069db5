import { defineTool, nearest, type Tool, ToolError } from "@toycoder/core";
import { z } from "zod";
import type { Calculator } from "./calculator.ts";
import { checkText } from "./check-text.ts";
import { type Answer, formatNumber } from "./format-number.ts";
import { showPlace } from "./problem.ts";
import { CONSTANTS, FUNCTIONS } from "./vocabulary.ts";

export interface CalculateInput {
  expression: string;
  digits: number;
}

/**
 * Makes the tool. The text is checked here, and evaluated in a thread of the calculator that `ctx.signal` ends: at the
 * time limit dispatch answers `timeout`.
 */
export const makeCalculate = (
  calculator: Calculator,
  { timeoutSeconds, maxLength }: { timeoutSeconds: number; maxLength: number },
): Tool<CalculateInput, Answer> =>
  defineTool({
    name: "calculate",
    description:
      "Calculate the value of an arithmetic expression, in decimals of 64 digits; returns the number. Knows + - * / ^ % ! mod, brackets, functions such as sqrt, round, log, sin, min, mean, gcd, and pi, e, deg: sin(30 deg).",
    input: z.object({
      expression: z.string().trim().min(1).max(maxLength).describe('For instance "(0.1 + 0.2) * 3^2"'),
      digits: z.number().int().min(1).max(64).default(15).describe("Significant digits of a long result"),
    }),
    permission: "safe",
    category: "computation",
    tags: ["calculator", "math", "arithmetic", "计算", "計算"],
    // It touches nothing outside of the process.
    effects: () => [],
    timeoutMs: timeoutSeconds * 1000,
    execute: async ({ expression, digits }, { signal }) => {
      const reply = checkText(expression) ?? (await calculator.evaluate(expression, signal));
      if ("value" in reply) return formatNumber(reply.value, digits);
      const { code, message, at, name, hint = nearName(name) } = reply;
      const placed = at === undefined ? message : `${message}\n${showPlace(expression, at)}`;
      throw new ToolError(code, placed, hint === undefined ? {} : { hint });
    },
    toModel: ({ value, rounded }) => `${rounded ? "≈" : "="} ${value}`,
  });

function nearName(name: string | undefined): string | undefined {
  if (name === undefined) return undefined;
  const [near] = nearest(name, [...FUNCTIONS, ...CONSTANTS], 1);
  return near === undefined ? `functions are ${[...FUNCTIONS].join(", ")}` : `did you mean ${near}?`;
}
