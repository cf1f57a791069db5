import type { FunctionNode, MathNode, SymbolNode } from "mathjs";
import type { Problem } from "./problem.ts";
import { CONSTANTS, FUNCTIONS, OPERATORS } from "./vocabulary.ts";

/** What in a parsed expression is more than arithmetic with known names. Nothing has been evaluated by then. */
export function checkTree(tree: MathNode, expression: string): Problem | undefined {
  let problem: Problem | undefined;
  tree.traverse((node, path, parent) => {
    problem ??= path === "fn" && parent.type === "FunctionNode" ? undefined : checkNode(node, expression);
  });
  return problem;
}

function checkNode(node: MathNode, expression: string): Problem | undefined {
  switch (node.type) {
    case "ConstantNode":
    case "ParenthesisNode":
      return undefined;
    case "SymbolNode":
      return checkName((node as SymbolNode).name, CONSTANTS, expression);
    case "FunctionNode":
      return checkName((node as unknown as FunctionNode).fn.name, FUNCTIONS, expression);
    case "OperatorNode": {
      const { fn, op } = node as unknown as { fn: string; op: string };
      if (OPERATORS.has(fn)) return undefined;
      return {
        code: "not_allowed",
        message: `the operator ${op} is no arithmetic`,
        at: expression.indexOf(op),
      };
    }
    default:
      return { code: "not_allowed", message: `${node.toString().slice(0, 40)} is no arithmetic` };
  }
}

function checkName(name: string, known: ReadonlySet<string>, expression: string): Problem | undefined {
  if (known.has(name)) return undefined;
  const at = placeOf(name, expression);
  const placed = at === undefined ? {} : { at };
  if (FUNCTIONS.has(name))
    return { code: "syntax_error", message: `${name} is a function: write ${name}(…)`, ...placed };
  if (CONSTANTS.has(name))
    return { code: "syntax_error", message: `${name} is a constant: write ${name} * (…)`, ...placed };
  return { code: "unknown_name", message: `${name} is not known`, name, ...placed };
}

/** Where a name stands as a whole word; digits may stand right before it, as in 2pi. */
export function placeOf(name: string, expression: string): number | undefined {
  if (!/^\w+$/.test(name)) return undefined;
  const at = expression.search(new RegExp(`(?<![A-Za-z_])${name}(?!\\w)`));
  return at === -1 ? undefined : at;
}
