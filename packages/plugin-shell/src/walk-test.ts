import type { TestExpression, Word } from "unbash";
import { impliedEffects } from "./implied-effects.ts";
import { readWord } from "./read-word.ts";
import type { ShellState } from "./shell-state.ts";
import { literalWord } from "./shell-word.ts";
import type { Walk } from "./walk.ts";

/** `[[ … ]]`: runs what its words substitute, and evaluates the operands of -eq and the like, and of -v. */
export function walkTest(expression: TestExpression, state: ShellState, walk: Walk): void {
  switch (expression.type) {
    case "TestLogical":
      for (const operand of expression.operands) walkTest(operand, state, walk);
      break;
    case "TestNot":
      walkTest(expression.operand, state, walk);
      break;
    case "TestGroup":
      walkTest(expression.expression, state, walk);
      break;
    case "TestUnary":
      if (/^-[vR]$/.test(expression.operator) && !/^\w+$/.test(expression.operand.text)) {
        walk.addOpaque(expression.operand.text, `[[ ${expression.operator} evaluates its operand`);
      }
      readOperand(expression.operand, state, walk);
      break;
    default: {
      const { left, right, operator } = expression;
      for (const operand of [left, right]) {
        if (/^-(?:eq|ne|lt|le|gt|ge)$/.test(operator) && !/^-?\d+$|^"?\$[#?]"?$/.test(operand.text)) {
          walk.addOpaque(operand.text, `[[ ${operator} evaluates its operands`);
        }
      }
      readOperand(left, state, walk);
      if (operator === "=~" || operator === "==" || operator === "!=" || operator === "=") {
        if (/[`]|\$\(|[<>]\(/.test(right.text)) {
          walk.addOpaque(right.text, "a pattern that runs commands is not looked into");
        }
      } else readOperand(right, state, walk);
    }
  }
}

function readOperand(operand: Word, state: ShellState, walk: Walk): void {
  const words = readWord(operand, state, walk).filter(
    (word) => word.unknown !== true && word.stream !== true,
  );
  for (const folder of state.folders ?? []) {
    walk.add(...impliedEffects([literalWord("[["), ...words], folder, walk.context));
  }
}
