import type { CommandNode, CompoundList, PipelineNode, Redirected, Statement } from "unbash";
import { isOwnVariable } from "./assignments.ts";
import { redirect } from "./redirections.ts";
import {
  merge,
  type Outcome,
  type ShellState,
  unchanged,
  withoutVariables,
  withVariable,
} from "./shell-state.ts";
import type { Walk } from "./walk.ts";
import { walkCommand } from "./walk-command.ts";
import {
  evaluateArithmetic,
  stateAfter,
  walkArithmeticFor,
  walkCase,
  walkFor,
  walkIf,
  walkWhile,
} from "./walk-compound.ts";
import { walkTest } from "./walk-test.ts";

/** Looks through the commands of a script in their order. Gives the state in which they leave the shell. */
export function walkStatements(
  statements: readonly Statement[],
  source: string,
  state: ShellState,
  walk: Walk,
): Outcome {
  const list = ({ commands }: CompoundList, before: ShellState): Outcome =>
    walkStatements(commands, source, before, walk);

  const node = (command: PipelineNode, before: ShellState): Outcome => {
    walk.spend();
    switch (command.type) {
      case "Pipeline": {
        const { commands, prefixes } = command;
        const [only] = commands;
        if (commands.length > 1) {
          // Each part runs in a shell of its own.
          for (const part of commands) node(part, before);
          return unchanged(before);
        }
        if (only === undefined) return unchanged(before);
        const { ok, fail } = node(only, before);
        const negated = prefixes.filter((one) => one.type === "Negation").length % 2 === 1;
        return negated ? { ok: fail, fail: ok } : { ok, fail };
      }
      case "Command":
        return walkCommand(command, before, walk);
      case "Redirected":
        return redirected(command, before);
      case "BraceGroup":
        return list(command.body, before);
      case "Subshell":
        list(command.body, before);
        return unchanged(before);
      case "If":
        return walkIf(command, before, list);
      case "Case":
        return walkCase(command, before, walk, list);
      case "For":
      case "Select":
        return walkFor(command, before, walk, list);
      case "While":
        return walkWhile(command, before, walk, list);
      case "ArithmeticFor":
        return walkArithmeticFor(command, source.slice(command.pos, command.end), before, walk, list);
      case "ArithmeticCommand": {
        const [, text] = /^\(\(([^]*)\)\)$/.exec(source.slice(command.pos, command.end)) ?? [];
        return unchanged(evaluateArithmetic(text ?? "$", before, walk));
      }
      case "TestCommand":
        walkTest(command.expression, before, walk);
        return unchanged(before);
      case "Function":
        return defineFunction(command, before);
      case "Coproc": {
        if (command.body.type === "CompoundList") list(command.body, before);
        else node(command.body, before);
        const name = command.name?.text ?? "COPROC";
        if (name !== "COPROC" && isOwnVariable(name, walk)) {
          walk.addOpaque(name, `${name} changes what commands do`);
        }
        return unchanged(withVariable(before, name, undefined));
      }
      default:
        return command satisfies never;
    }
  };

  const redirected = ({ command, redirects }: Redirected, before: ShellState): Outcome => {
    const opened = redirect(redirects, before, walk);
    const { ok, fail } = node(command, opened);
    return { ok, fail: fail ?? opened };
  };

  const defineFunction = (
    { name, body }: Extract<CommandNode, { type: "Function" }>,
    before: ShellState,
  ): Outcome => {
    if (!/^[A-Za-z_][\w-]*$/.test(name.text) || SPECIAL.test(name.text)) {
      walk.addOpaque(name.text, `a function named ${name.text} changes what commands mean`);
    }
    walk.definesFunction = true;
    walk.undisturbed = false;
    // It runs when it is called, whatever the variables hold then, and may set them.
    const called = withoutVariables(before);
    if (body.type === "CompoundList") list(body, called);
    else node(body, called);
    return unchanged(called);
  };

  const statement = ({ command, background }: Statement, before: ShellState): Outcome => {
    const outcome = command.type === "AndOr" ? andOr(command, before) : node(command, before);
    return background === true ? unchanged(before) : outcome;
  };

  const andOr = (
    { commands, operators }: Extract<Statement["command"], { type: "AndOr" }>,
    before: ShellState,
  ): Outcome => {
    let outcome: Outcome | undefined;
    for (const [index, command] of commands.entries()) {
      if (outcome === undefined) {
        outcome = node(command, before);
        continue;
      }
      const { ok, fail }: Outcome = outcome;
      const both = operators[index - 1] === "&&";
      const next = node(command, (both ? ok : fail) ?? before);
      outcome = both
        ? { ok: next.ok, fail: merge(fail, next.fail) }
        : { ok: merge(ok, next.ok), fail: next.fail };
    }
    return outcome ?? unchanged(before);
  };

  let outcome = unchanged(state);
  let current = state;
  for (const one of statements) {
    outcome = statement(one, current);
    current = stateAfter(outcome, current);
  }
  return outcome;
}

/** Functions of these names would change what the rest is taken for. */
const SPECIAL =
  /^(?:cd|pushd|popd|command|builtin|exec|eval|source|set|export|unset|exit|return|break|continue|test|true|false|echo|printf|trap|alias|read|local|declare|typeset|let|shift|command_not_found_handle)$/;
