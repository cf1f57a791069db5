import type { ArithmeticFor, Case, CompoundList, For, If, Select, While } from "unbash";
import { readArithmetic } from "./arithmetic.ts";
import { isOwnVariable } from "./assignments.ts";
import { readWord } from "./read-word.ts";
import {
  merge,
  mergeOutcomes,
  type Outcome,
  sameState,
  type ShellState,
  unchanged,
  UNKNOWN_STATE,
  type Value,
  withVariable,
} from "./shell-state.ts";
import type { ShellWord } from "./shell-word.ts";
import type { Walk } from "./walk.ts";

/** Looks through the commands of a list. */
export type WalkList = (list: CompoundList, state: ShellState) => Outcome;

const MAX_UNROLLED = 32;

/** The state in which a list leaves the shell; where it surely leaves the script, the state that it began with. */
export const stateAfter = ({ ok, fail }: Outcome, before: ShellState): ShellState =>
  merge(ok, fail) ?? before;

export function walkIf(node: If, state: ShellState, walkList: WalkList): Outcome {
  let outcome: Outcome | undefined;
  let current = state;
  const branch = (clause: CompoundList, then: CompoundList): void => {
    const { ok, fail } = walkList(clause, current);
    const taken = walkList(then, ok ?? current);
    outcome = outcome === undefined ? taken : mergeOutcomes(outcome, taken);
    current = fail ?? current;
  };
  branch(node.clause, node.then);
  for (const one of node.elif) branch(one.clause, one.then);
  const last = node.else === undefined ? unchanged(current) : walkList(node.else, current);
  return outcome === undefined ? last : mergeOutcomes(outcome, last);
}

export function walkCase(node: Case, state: ShellState, walk: Walk, walkList: WalkList): Outcome {
  readWord(node.word, state, walk);
  let outcome = unchanged(state);
  let previous = state;
  for (const item of node.items) {
    for (const pattern of item.pattern) readWord(pattern, state, walk);
    // `;&` goes on with the next one.
    const taken = walkList(item.body, merge(state, previous) ?? state);
    previous = stateAfter(taken, state);
    outcome = mergeOutcomes(outcome, taken);
  }
  return outcome;
}

export function walkWhile(node: While, state: ShellState, walk: Walk, walkList: WalkList): Outcome {
  const round = (before: ShellState): ShellState => {
    const clause = walkList(node.clause, before);
    const [enter, leave] = node.kind === "while" ? [clause.ok, clause.fail] : [clause.fail, clause.ok];
    const body = walkList(node.body, enter ?? before);
    return merge(leave, stateAfter(body, before)) ?? before;
  };
  return unchanged(untilStable(state, walk, round));
}

/** `for` and `select`. A short list of known words is gone through word by word. */
export function walkFor(node: For | Select, state: ShellState, walk: Walk, walkList: WalkList): Outcome {
  const words = node.wordlist?.flatMap((word) => readWord(word, state, walk));
  const name = node.name.text;
  if (!/^[A-Za-z_]\w*$/.test(name) || isOwnVariable(name, walk)) {
    walk.addOpaque(name, `the loop sets ${name}`);
  }
  const body = (before: ShellState, value: Value | undefined): ShellState =>
    stateAfter(walkList(node.body, withVariable(before, name, value)), before);

  const values = words?.map(valueOf);
  const known = values !== undefined && !values.includes(undefined) && values.length <= MAX_UNROLLED;
  if (!known || node.type === "Select") {
    return unchanged(untilStable(state, walk, (before) => body(before, undefined)));
  }
  let current = state;
  const left = inLoop(walk, () => {
    for (const value of values) {
      const next = body(current, value);
      // A pattern may stand for no file or for several.
      current =
        value !== undefined && value !== "integer" && value.glob ? (merge(current, next) ?? next) : next;
    }
  });
  // What `continue` and `break` leave goes on with the later words as well.
  if (left.length === 0) return unchanged(current);
  const start = left.reduce<ShellState>(
    (one, other) => merge(one, other) ?? one,
    merge(state, current) ?? state,
  );
  return unchanged(untilStable(start, walk, (before) => body(before, undefined)));
}

const valueOf = ({ value, glob, tilde, unknown, stream }: ShellWord): Value | undefined =>
  unknown === true || stream === true || tilde ? undefined : { text: value, glob };

export function walkArithmeticFor(
  node: ArithmeticFor,
  text: string,
  state: ShellState,
  walk: Walk,
  walkList: WalkList,
): Outcome {
  const [, header] = /^for\s*\(\(([^]*?)\)\)/.exec(text) ?? [];
  const parts = header?.split(";") ?? [];
  const evaluate = (part: string | undefined, before: ShellState): ShellState =>
    part === undefined ? before : evaluateArithmetic(part, before, walk);
  if (parts.length !== 3) walk.addOpaque(text, "a loop of the command is not understood");
  const started = evaluate(parts[0], state);
  const round = (before: ShellState): ShellState => {
    const tested = evaluate(parts[1], before);
    return evaluate(parts[2], stateAfter(walkList(node.body, tested), tested));
  };
  return unchanged(untilStable(started, walk, round));
}

/** The state after an arithmetic expression. */
export function evaluateArithmetic(text: string, state: ShellState, walk: Walk): ShellState {
  const { assigned, hazard } = readArithmetic(text, state);
  if (hazard !== undefined) walk.addOpaque(text, hazard);
  let after = state;
  for (const name of assigned) {
    if (isOwnVariable(name, walk)) walk.addOpaque(text, `${name} changes what commands do`);
    after = withVariable(after, name, "integer");
  }
  return after;
}

/** Goes through rounds of a loop until what is known at its start holds for each of them. */
function untilStable(state: ShellState, walk: Walk, round: (before: ShellState) => ShellState): ShellState {
  let current = state;
  // In the second round a folder may be gone.
  walk.undisturbed = false;
  for (let tries = 0; tries < 4; tries++) {
    let next = current;
    const left = inLoop(walk, () => void (next = round(current)));
    const start = [next, ...left].reduce<ShellState>((one, other) => merge(one, other) ?? one, current);
    if (sameState(start, current)) return current;
    current = start;
  }
  inLoop(walk, () => void round(UNKNOWN_STATE));
  return UNKNOWN_STATE;
}

/** Gives the states in which `break` and `continue` leave the loop. */
function inLoop(walk: Walk, body: () => void): readonly ShellState[] {
  const left: ShellState[] = [];
  walk.loops.push(left);
  body();
  walk.loops.pop();
  return left;
}
