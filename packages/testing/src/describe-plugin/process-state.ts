/** What a module could change in its process: globals, prototypes, listeners, environment. Name → what it is now. */
export type ProcessState = ReadonlyMap<string, unknown>;

// Reading them warns.
const UNREAD: ReadonlySet<string> = new Set(["localStorage", "sessionStorage"]);
/** Libraries keep what all of their copies share under such names. */
const LIBRARY = /^(?:__|\$)/;
const NAMESPACES = ["JSON", "Math", "Reflect", "console", "process"] as const;
const CONSTRUCTORS = [
  "Array", "ArrayBuffer", "BigInt", "Boolean", "Date", "Error", "Function", "Map", "Number", "Object", "Promise",
  "RegExp", "Set", "String", "Symbol", "Uint8Array", "URL", "WeakMap",
] as const; // prettier-ignore
/** They change by themselves. */
const LIVELY: ReadonlySet<string> = new Set([
  "_exiting",
  "exitCode",
  "stdin",
  "stdout",
  "stderr",
  "env",
  "report",
]);

export function processState(): ProcessState {
  const state = new Map<string, unknown>();
  for (const name of Object.getOwnPropertyNames(globalThis)) {
    if (UNREAD.has(name)) continue;
    // Some are made when they are first read: that is no change.
    const value = read(globalThis, name);
    if (!LIBRARY.test(name)) state.set(`globalThis.${name}`, value);
  }
  for (const name of CONSTRUCTORS) {
    const made = read(globalThis, name) as Readonly<Record<string, unknown>>;
    members(state, name, made);
    members(state, `${name}.prototype`, made["prototype"] as object);
  }
  for (const name of NAMESPACES) members(state, name, read(globalThis, name) as object);
  members(state, "process.stdout", Object.getPrototypeOf(process.stdout) as object);
  state.set("process.stdout.write", process.stdout.write);
  state.set("process.stderr.write", process.stderr.write);
  for (const event of process.eventNames()) {
    state.set(`a listener of process ${JSON.stringify(String(event))}`, process.listenerCount(event));
  }
  for (const [name, value] of Object.entries(process.env)) state.set(`process.env.${name}`, value);
  state.set("the working folder", process.cwd());
  state.set("process.exitCode", process.exitCode);
  return state;
}

/** The names of what is another thing now, or new, or gone. */
export function changedState(before: ProcessState, after: ProcessState): string[] {
  const names = new Set([...before.keys(), ...after.keys()]);
  return [...names].filter((name) => !Object.is(before.get(name), after.get(name)));
}

function members(state: Map<string, unknown>, holder: string, object: object): void {
  for (const [name, { value, get }] of Object.entries(Object.getOwnPropertyDescriptors(object))) {
    if (holder === "process" && LIVELY.has(name)) continue;
    const kept: unknown = value ?? get;
    if (typeof kept === "function") state.set(`${holder}.${name}`, kept);
  }
}

function read(holder: object, name: string): unknown {
  try {
    return Reflect.get(holder, name);
  } catch {
    return undefined;
  }
}
