/** What is known of a variable's value: its text, the pattern of a file's name, or that it is a whole number. */
export type Value = { text: string; glob: boolean } | "integer";

/**
 * What the shell may be like at one place of a script. `folders` are those that it may be in, undefined where that
 * isn't known; a variable that isn't in `variables` may hold anything. Immutable.
 */
export interface ShellState {
  readonly folders: readonly string[] | undefined;
  readonly variables: ReadonlyMap<string, Value>;
}

/** The state after a command that succeeded, and after one that failed; undefined where it cannot do so. */
export interface Outcome {
  readonly ok: ShellState | undefined;
  readonly fail: ShellState | undefined;
}

const MAX_FOLDERS = 16;

export const UNKNOWN_STATE: ShellState = { folders: undefined, variables: new Map() };

export const unchanged = (state: ShellState): Outcome => ({ ok: state, fail: state });

export function withVariable(state: ShellState, name: string, value: Value | undefined): ShellState {
  const variables = new Map(state.variables);
  if (value === undefined) variables.delete(name);
  else variables.set(name, value);
  return { ...state, variables };
}

export const withoutVariables = (state: ShellState): ShellState => ({ ...state, variables: new Map() });

/** What holds in both states. */
export function merge(one: ShellState | undefined, other: ShellState | undefined): ShellState | undefined {
  if (one === undefined || other === undefined || one === other) return one ?? other;
  const variables = new Map<string, Value>();
  for (const [name, value] of one.variables) {
    const common = commonValue(value, other.variables.get(name));
    if (common !== undefined) variables.set(name, common);
  }
  return { folders: mergeFolders(one.folders, other.folders), variables };
}

export const mergeOutcomes = (one: Outcome, other: Outcome): Outcome => ({
  ok: merge(one.ok, other.ok),
  fail: merge(one.fail, other.fail),
});

export const sameState = (one: ShellState, other: ShellState): boolean => describe(one) === describe(other);

const describe = ({ folders, variables }: ShellState): string =>
  JSON.stringify([folders?.toSorted() ?? null, [...variables].sort(([a], [b]) => (a < b ? -1 : 1))]);

function mergeFolders(one: ShellState["folders"], other: ShellState["folders"]): ShellState["folders"] {
  if (one === undefined || other === undefined) return undefined;
  const all = new Set([...one, ...other]);
  return all.size > MAX_FOLDERS ? undefined : [...all];
}

function commonValue(one: Value, other: Value | undefined): Value | undefined {
  if (other === undefined) return undefined;
  if (isInteger(one) && isInteger(other)) return one === other ? one : "integer";
  if (one === "integer" || other === "integer") return undefined;
  return one.text === other.text && one.glob === other.glob ? one : undefined;
}

/** Whether arithmetic reads the value as a plain number, so that nothing in it is evaluated. */
export const isInteger = (value: Value | undefined): boolean =>
  value === "integer" || (value !== undefined && !value.glob && /^-?\d+$/.test(value.text));
