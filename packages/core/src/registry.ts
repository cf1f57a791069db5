import { checkDependencies, type DependencyProblem } from "./check-dependencies.ts";
import { SetupError } from "./errors.ts";
import { nearest } from "./nearest.ts";
import type { PermissionLevel } from "./permission/level.ts";
import { type Category, type Deprecation, isTool, type Tool } from "./tool.ts";
import { fromFunction, type FunctionOptions, type ToolFunction } from "./tool-function.ts";
import type { ToolOrigin } from "./tool-origin.ts";
import { createToolIndex, type ToolHit, type ToolIndex, type ToolSearchOptions } from "./tool-search.ts";
import { VersionSet } from "./version-set.ts";

/** How a tool is registered, and where it comes from. */
export interface RegisterOptions extends ToolOrigin {
  /** Takes the place of the same name and version. Default false: that is an error. */
  override?: boolean;
}

/** What a listed tool has to be; without a field, anything. */
export interface ListFilter {
  category?: Category;
  tag?: string;
  level?: PermissionLevel;
  includeDeprecated?: boolean;
}

/** What a listener of `change` hears. */
export interface RegistryChange {
  kind: "register" | "unregister" | "activate" | "deprecate";
  name: string;
  version: string;
}

type Listener = (change: RegistryChange) => void;

/**
 * The tools that exist, versions of one name side by side. Holds no session's state: enabling and approvals belong
 * to the session.
 */
export class ToolRegistry {
  // Maps: a name like "constructor" is an ordinary name.
  readonly #sets = new Map<string, VersionSet>();
  /** Folded name → registered name, to refuse names that differ in style alone. */
  readonly #folded = new Map<string, string>();
  readonly #deprecations = new Map<string, Deprecation>();
  readonly #listeners = new Set<Listener>();
  /** Made by the first search after a change. */
  #index: ToolIndex<Tool> | undefined;

  /**
   * Adds a tool. Throws a SetupError: `duplicate_tool` where the name and version are taken, `similar_tool` where a
   * registered name differs only in case or separators, `invalid_tool` where `tool` was not made by `defineTool`.
   */
  register(tool: Tool, options: RegisterOptions = {}): void {
    this.#add(tool, options);
    this.#tell({ kind: "register", name: tool.name, version: tool.version });
  }

  /** Adds all of them or none. */
  registerMany(tools: readonly Tool[], options: RegisterOptions = {}): void {
    const undo: (() => void)[] = [];
    try {
      for (const tool of tools) undo.push(this.#add(tool, options));
    } catch (error) {
      for (const step of undo.toReversed()) step();
      throw error;
    }
    for (const { name, version } of tools) this.#tell({ kind: "register", name, version });
  }

  /** Registers a defined tool, or a named function without parameters, and gives it back. */
  tool<T extends Tool | ToolFunction>(toolOrFunction: T): T;
  /** `registry.tool(options)(fn)` registers `fn` at once and gives it back; its name in snake_case is the default. */
  tool<Input, Parsed>(
    options: FunctionOptions<Input, Parsed>,
  ): <F extends (input: Parsed, ...rest: never[]) => unknown>(fn: F) => F;
  tool(given: Tool | ToolFunction | object): unknown {
    if (isTool(given)) {
      this.register(given);
      return given;
    }
    if (typeof given === "function") {
      this.register(fromFunction({}, given as ToolFunction));
      return given;
    }
    return (fn: ToolFunction) => {
      this.register(fromFunction(given, fn));
      return fn;
    };
  }

  /** Takes a version out, or all of the name. False where there was none. */
  unregister(name: string, version?: string): boolean {
    const set = this.#sets.get(name);
    if (set === undefined) return false;
    const gone = version === undefined ? set.versions() : [version].filter((one) => set.has(one));
    for (const one of gone) this.#remove(name, one);
    for (const one of gone) this.#tell({ kind: "unregister", name, version: one });
    return gone.length > 0;
  }

  /** The active version, or the best one in a semver range. Undefined where there is none. */
  get(name: string, range?: string): Tool | undefined {
    const set = this.#sets.get(name);
    return (range === undefined ? set?.active() : set?.match(range))?.tool;
  }

  /** Like `get`, but throws a SetupError `unknown_tool` that names the nearest tool. */
  require(name: string): Tool {
    const tool = this.get(name);
    if (tool !== undefined) return tool;
    const [near] = nearest(name, this.#sets.keys(), 1);
    throw new SetupError("unknown_tool", `there is no tool ${name}`, {
      hint: near === undefined ? `tools are ${[...this.#sets.keys()].join(", ")}` : `did you mean ${near}?`,
    });
  }

  has(name: string): boolean {
    return this.get(name) !== undefined;
  }

  /** Of the active version. */
  origin(name: string): ToolOrigin {
    return this.#sets.get(name)?.active()?.origin ?? {};
  }

  /** The active tools that pass the filter, sorted by name; deprecated ones only where asked for. */
  list(filter: ListFilter = {}): Tool[] {
    return this.#active().filter(
      (tool) =>
        (filter.includeDeprecated === true || this.deprecation(tool.name) === undefined) &&
        (filter.category === undefined || tool.category === filter.category) &&
        (filter.level === undefined || tool.permission === filter.level) &&
        (filter.tag === undefined || tool.tags.includes(filter.tag)),
    );
  }

  /** The listed tools that a request (a name or part of one, words, sentences) is about, best first. */
  search(request: string, options: ToolSearchOptions = {}): ToolHit<Tool>[] {
    return (this.#index ??= createToolIndex(this.list())).search(request, options);
  }

  /** The categories of the listed tools, sorted. */
  categories(): Category[] {
    return [...new Set(this.list().map((tool) => tool.category))].sort();
  }

  /**
   * An immutable list, sorted by name: a stable order keeps a provider's prompt cache. Without `names` it is what
   * `list()` gives; with them, those of them that exist, deprecated ones included.
   */
  snapshot(options: { names?: Iterable<string> } = {}): readonly Tool[] {
    if (options.names === undefined) return Object.freeze(this.list());
    const names = new Set(options.names);
    return Object.freeze(this.#active().filter((tool) => names.has(tool.name)));
  }

  /** The versions of a name in semver order. */
  versions(name: string): string[] {
    return this.#sets.get(name)?.versions() ?? [];
  }

  /** Pins a version: no later registration moves it. Throws a SetupError `unknown_tool`. */
  activate(name: string, version: string): void {
    if (this.#sets.get(name)?.activate(version) !== true) {
      const known = this.versions(name);
      throw new SetupError("unknown_tool", `there is no version ${version} of the tool ${name}`, {
        hint: known.length === 0 ? `there is no tool ${name}` : `versions are ${known.join(", ")}`,
      });
    }
    this.#tell({ kind: "activate", name, version });
  }

  /** Pins the version that was active before, or the one named. False where there is none. */
  rollback(name: string, version?: string): boolean {
    const set = this.#sets.get(name);
    if (set?.rollback(version) !== true) return false;
    this.#tell({ kind: "activate", name, version: set.active()?.tool.version ?? "" });
    return true;
  }

  /** Marks a tool as deprecated, over what it says itself. Throws a SetupError `unknown_tool`. */
  deprecate(name: string, deprecation: Deprecation): void {
    const { version } = this.require(name);
    this.#deprecations.set(name, deprecation);
    this.#tell({ kind: "deprecate", name, version });
  }

  /** What replaces a deprecated tool, and why; undefined for one that is not deprecated. */
  deprecation(name: string): Deprecation | undefined {
    const own = this.get(name)?.deprecated;
    return this.#deprecations.get(name) ?? (own === false ? undefined : own);
  }

  /** What is wrong with the dependencies of a tool. Throws a SetupError `unknown_tool`. */
  checkDependencies(name: string): DependencyProblem[] {
    return checkDependencies(this.require(name), this);
  }

  /** Hears of every change after it; the function given back ends that. */
  on(_event: "change", listener: Listener): () => void {
    this.#listeners.add(listener);
    return () => void this.#listeners.delete(listener);
  }

  #active(): Tool[] {
    const tools = [...this.#sets.values()].flatMap((set) => set.active()?.tool ?? []);
    return tools.sort((a, b) => (a.name < b.name ? -1 : 1));
  }

  /** Adds a checked tool; the function given back takes the registry to where it was. */
  #add(tool: Tool, { override = false, ...origin }: RegisterOptions): () => void {
    if (!isTool(tool)) throw new SetupError("invalid_tool", "not a tool; make one with defineTool");
    const { name, version } = tool;
    const similar = this.#folded.get(fold(name));
    if (similar !== undefined && similar !== name) {
      throw new SetupError("similar_tool", `the tool ${name} differs from ${similar} only in its style`);
    }
    const set = this.#sets.get(name) ?? new VersionSet();
    const before = set.entry(version);
    if (before !== undefined && !override) {
      const { plugin } = before.origin;
      const by = plugin === undefined ? "" : ` (by the plugin ${plugin})`;
      throw new SetupError("duplicate_tool", `the tool ${name} ${version} is registered already${by}`, {
        hint: "give it another version, or register it with override: true",
      });
    }
    this.#sets.set(name, set);
    this.#folded.set(fold(name), name);
    set.add({ tool, origin });
    return () => {
      if (before === undefined) this.#remove(name, version);
      else set.add(before);
    };
  }

  #remove(name: string, version: string): void {
    const set = this.#sets.get(name);
    set?.remove(version);
    if (set === undefined || set.size > 0) return;
    this.#sets.delete(name);
    this.#folded.delete(fold(name));
    this.#deprecations.delete(name);
  }

  #tell(change: RegistryChange): void {
    this.#index = undefined;
    for (const listener of this.#listeners) listener(change);
  }
}

const fold = (name: string): string => name.toLowerCase().replaceAll(/[^a-z0-9]/g, "");
