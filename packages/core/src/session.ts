import { randomUUID } from "node:crypto";
import { Lanes } from "./lanes.ts";
import type { Hooks } from "./hooks.ts";
import { type ApprovalAnswer, Approvals } from "./permission/approvals.ts";
import type { Decision } from "./permission/evaluate.ts";
import type { ToolFacts } from "./permission/match.ts";
import { namesLiterally, type Policy } from "./permission/policy.ts";
import type { Rule } from "./permission/rule.ts";
import type { ResolvedPath, Workspace } from "./permission/workspace.ts";
import type { ToolRegistry } from "./registry.ts";
import { createMask, type Mask } from "./secrets.ts";
import { SpillStore } from "./spill.ts";
import type { FileChange, Tool } from "./tool.ts";
import type { ToolHit, ToolSearchOptions } from "./tool-search.ts";

/** A call that waits for a person's word. */
export interface ApprovalRequest {
  tool: Tool;
  callId: string;
  input: unknown;
  decision: Decision;
  /** The rules that the answer *always* adds to the session. */
  always: readonly string[];
}

/** How a session asks the person. What is absent can't be asked: headless runs leave both out. */
export interface Ask {
  approval?: (request: ApprovalRequest, signal: AbortSignal) => Promise<ApprovalAnswer>;
  question?: (question: string, options: readonly string[], signal: AbortSignal) => Promise<string>;
}

/** What a session stands on. */
export interface SessionOptions {
  registry: ToolRegistry;
  policy: Policy;
  workspace: Workspace;
  ask?: Ask;
  id?: string;
  /** Values by credential name; they reach `ctx.credentials` of the tools that ask for them. */
  credentials?: Readonly<Record<string, string>>;
  hooks?: readonly Hooks[];
  /** Tools to enable or to disable beside what levels and rules say. */
  enable?: readonly string[];
  disable?: readonly string[];
  /** Where large results are kept; a temporary folder by default. */
  spillFolder?: string;
  /** Characters of a result that a model gets to see. Default 30,000. */
  maxResultChars?: number;
  /** Hears of every file that a tool changed, in order. */
  onChange?: (change: FileChange) => void;
}

/** What goes on: enabling, approvals, tool state. */
export interface Session {
  readonly id: string;
  readonly registry: ToolRegistry;
  readonly policy: Policy;
  readonly workspace: Workspace;
  readonly ask: Ask;
  readonly credentials: Readonly<Record<string, string>>;
  readonly hooks: readonly Hooks[];
  readonly maxResultChars: number;
  /** Takes the credentials' values out of a text. */
  readonly mask: Mask;
  readonly lanes: Lanes;
  readonly spills: SpillStore;
  readonly approvals: readonly Rule[];
  isEnabled(tool: Tool): boolean;
  /** Hears of every `enable` and `disable` after it; the function given back ends that. */
  on(event: "change", listener: () => void): () => void;
  /** Throws a SetupError `unknown_tool`. */
  enable(name: string): void;
  disable(name: string): void;
  /** Adds a rule for the rest of the session. Throws a SetupError `invalid_rule`. */
  approve(rule: string): void;
  resetApprovals(): void;
  /** The enabled tools, sorted by name: what a model is offered. */
  tools(): readonly Tool[];
  /** Like the registry's search, each hit marked with whether it is enabled here. */
  search(request: string, options?: ToolSearchOptions): (ToolHit<Tool> & { enabled: boolean })[];
  factsOf(tool: Tool): ToolFacts;
  resolve(path: string): ResolvedPath;
  state(key: string): Map<string, unknown>;
  recordChange(change: FileChange): void;
  /** Removes what the session holds outside its folder. */
  dispose(): void;
}

/** Opens a session over a registry. Throws a SetupError for an unknown tool in `enable` or `disable`. */
export function createSession(options: SessionOptions): Session {
  const { registry, policy, workspace } = options;
  const switched = new Map<string, boolean>();
  const listeners = new Set<() => void>();
  const approvals = new Approvals(policy.root);
  const states = new Map<string, Map<string, unknown>>();
  const spills = new SpillStore(options.spillFolder);

  const turn = (name: string, on: boolean): void => {
    switched.set(registry.require(name).name, on);
    for (const listener of listeners) listener();
  };
  for (const name of options.enable ?? []) turn(name, true);
  for (const name of options.disable ?? []) turn(name, false);

  const isEnabled = (tool: Tool): boolean =>
    switched.get(tool.name) ?? (!startsDisabled(policy, tool) || namesLiterally(policy, tool.name));

  return {
    id: options.id ?? randomUUID(),
    registry,
    policy,
    workspace,
    ask: options.ask ?? {},
    credentials: options.credentials ?? {},
    hooks: options.hooks ?? [],
    maxResultChars: options.maxResultChars ?? 30_000,
    mask: createMask(options.credentials ?? {}),
    lanes: new Lanes(),
    spills,
    get approvals() {
      return approvals.list();
    },
    isEnabled,
    on(_event, listener) {
      listeners.add(listener);
      return () => void listeners.delete(listener);
    },
    enable: (name) => turn(name, true),
    disable: (name) => turn(name, false),
    approve: (rule) => approvals.add(rule),
    resetApprovals: () => approvals.clear(),
    tools: () => registry.snapshot().filter(isEnabled),
    search: (request, options) =>
      registry.search(request, options).map((hit) => ({ ...hit, enabled: isEnabled(hit.tool) })),
    factsOf: (tool) => ({
      name: tool.name,
      permission: tool.permission,
      category: tool.category,
      ...registry.origin(tool.name),
    }),
    resolve: (path) => {
      const file = spills.fileOf(path);
      if (file === undefined) return workspace.resolve(path);
      return { absolute: file, real: file, display: path, inside: true };
    },
    state(key) {
      let map = states.get(key);
      if (map === undefined) states.set(key, (map = new Map()));
      return map;
    },
    recordChange: (change) => options.onChange?.(change),
    dispose: () => spills.dispose(),
  };
}

/** A dangerous tool is off until something names it, whatever its level is set to. */
const startsDisabled = (policy: Policy, { permission }: Tool): boolean =>
  permission === "dangerous" || policy.levels[permission] === "disabled";
