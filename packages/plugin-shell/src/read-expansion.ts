import type { SyntaxNode, WordPart } from "unbash";
import { readArithmetic } from "./arithmetic.ts";
import type { ShellState } from "./shell-state.ts";
import { lookUp } from "./variables.ts";
import type { Walk } from "./walk.ts";

/**
 * The text that an expansion stands for, undefined where only the run can tell. What it runs is looked through, and
 * an expansion that evaluates what a variable holds is opaque.
 */
export function readExpansion(
  part: WordPart,
  state: ShellState,
  walk: Walk,
  quoted: boolean,
): string | undefined {
  const { text } = part;
  switch (part.type) {
    case "SimpleExpansion":
      if (!/^\$(?:\w+|[@*#?$!-])$/.test(text)) walk.addOpaque(text, `${text} is only known when it runs`);
      return valueOf(text.slice(1), state, walk, quoted);
    case "ParameterExpansion":
      return readParameter(part, state, walk, quoted);
    case "CommandExpansion":
      readSubstitution(text, state, walk);
      return undefined;
    case "ProcessSubstitution":
      if (/^[<>]\([^]*\)$/.test(text)) walk.walkText(text.slice(2, -1), state);
      else walk.addOpaque(text, "a substitution of the command is not understood");
      return undefined;
    case "ArithmeticExpansion": {
      const [, inner] = /^\$\(\(([^]*)\)\)$/.exec(text) ?? [];
      const { hazard, assigned } = readArithmetic(inner ?? "$", state);
      if (hazard !== undefined || assigned.length > 0) {
        walk.addOpaque(text, hazard ?? "an arithmetic expansion sets a variable");
        readNested(part, state, walk);
      }
      return undefined;
    }
    default:
      if (/[$`]|[<>]\(/.test(text)) {
        walk.addOpaque(text, `${text} is only known when it runs`);
        readNested(part, state, walk);
      }
      return undefined;
  }
}

function valueOf(name: string, state: ShellState, walk: Walk, quoted: boolean): string | undefined {
  const value = lookUp(name, state, walk);
  if (value === undefined || value === "integer" || value.glob) return undefined;
  return quoted || /^[\w./:@%+=,-]+$/.test(value.text) ? value.text : undefined;
}

/** `${x}`, and the forms that do no more than give a text. */
function readParameter(part: WordPart, state: ShellState, walk: Walk, quoted: boolean): string | undefined {
  const { text } = part;
  const [, name] = /^\$\{([A-Za-z_]\w*)\}$/.exec(text) ?? [];
  if (name !== undefined) return valueOf(name, state, walk, quoted);
  // A length, a default, or a cut or replacement without expansions of its own.
  const harmless =
    /^\$\{(?:#?(?:\w+|[@*])|(?:\w+|[@*])(?::?[-+?]|##?|%%?|\/[/#%]?|\^\^?|,,?|:\d+(?::\d+)?(?=\}))[^$`{}]*)\}$/;
  if (harmless.test(text) && !/[<>]\(/.test(text)) return undefined;
  walk.addOpaque(text, `${text} is only known when it runs`);
  readNested(part, state, walk);
  return undefined;
}

function readSubstitution(text: string, state: ShellState, walk: Walk): void {
  if (/^\$\((?!\()[^]*\)$/.test(text)) walk.walkText(text.slice(2, -1), state);
  else if (/^`[^`\\]*`$/.test(text)) walk.walkText(text.slice(1, -1), state);
  else walk.addOpaque(text, "a substitution of the command is not understood");
}

/** The substitutions within an expansion, for what deny rules are to see of it. */
function readNested(part: WordPart, state: ShellState, walk: Walk): void {
  const visit = (node: SyntaxNode): void => {
    if (node.type === "CommandExpansion") readSubstitution(node.text, state, walk);
    else if (node.type === "ArithmeticCommandExpansion") readSubstitution(node.text, state, walk);
    else if (node.type === "ProcessSubstitution") walk.walkText(node.text.slice(2, -1), state);
    else walk.parser.forEachChild(node, visit);
  };
  walk.parser.forEachChild(part, visit);
}
