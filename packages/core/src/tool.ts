import type { StandardSchemaV1 } from "@standard-schema/spec";
import validRange from "semver/ranges/valid.js";
import { hasBrand, TOOL } from "./brand.ts";
import { type Dependency, rangeOf } from "./dependency.ts";
import { type Failure, SetupError } from "./errors.ts";
import type { ContentPart, ToolResult } from "./message.ts";
import type { Effect } from "./permission/effect.ts";
import { PERMISSION_LEVELS, type PermissionLevel } from "./permission/level.ts";
import type { PathBounds } from "./permission/path-bounds.ts";
import type { ResolvedPath, Workspace } from "./permission/workspace.ts";
import type { JsonSchema } from "./schema/json-schema.ts";
import { type InputSchema, toJsonSchema } from "./schema/to-json-schema.ts";

/** What a tool is for: rules (`category:file_io`) and lists go by it. */
export type Category =
  | "data_query"
  | "action"
  | "computation"
  | "external_api"
  | "file_io"
  | "search"
  | "execution"
  | "interaction"
  | "utility";

/** All categories. */
export const CATEGORIES: readonly Category[] = [
  "data_query",
  "action",
  "computation",
  "external_api",
  "file_io",
  "search",
  "execution",
  "interaction",
  "utility",
];

/** A change of one file: whole contents before and after, null where the file was or is absent. */
export interface FileChange {
  path: ResolvedPath;
  before: Uint8Array | null;
  after: Uint8Array | null;
  /** Permission bits before and after, where the file existed. */
  mode?: { before?: number; after?: number };
  /** Real paths of the folders that were made for the file, outermost first. */
  folders?: readonly string[];
}

/** What `execute` gets beside its input. */
export interface ToolContext {
  /** Aborts at the time limit and when the run is cancelled. */
  readonly signal: AbortSignal;
  readonly workspace: Workspace;
  /** The values of `requiresAuth`, by name. */
  readonly credentials: Readonly<Record<string, string>>;
  readonly sessionId: string;
  readonly callId: string;
  /** Resolves like `workspace.resolve`, and `session:NAME` to the file that holds a spilled result. */
  resolve(path: string): ResolvedPath;
  /**
   * True unless a deny rule matches a read of the path (relative to the workspace, or absolute; symbolic links are
   * followed). Tools that list or search leave out what it refuses, and say how much that was.
   */
  mayRead(path: string): boolean;
  /** False where `mayRead` refuses nothing, so that nothing needs to be asked or counted. */
  readonly hidesPaths: boolean;
  /** True unless a deny rule matches a write of the path, or a protection that no allow rule lifts. */
  mayWrite(path: string): boolean;
  /** The rules behind `mayRead` or `mayWrite`, for a tool that has to hold a program to them; undefined: none. */
  bounds(effect: "read" | "write"): PathBounds | undefined;
  /** Asks the person. Throws a ToolError `no_user` where there is none. */
  ask(question: string, options?: readonly string[]): Promise<string>;
  /** A line for whoever watches; also renews nothing and may be dropped. */
  progress(message: string): void;
  /** Calls another tool under the same permissions. Never rejects. */
  dispatch(name: string, args: Readonly<Record<string, unknown>>): Promise<ToolResult>;
  /** A map that lives as long as the session, private to `key`. */
  state(key: string): Map<string, unknown>;
  /** Makes a written file known: the run's list of changes and its diffs come from here. */
  recordChange(change: FileChange): void;
  /** Keeps a large result in the session; resolves to its `session:NAME`. */
  spill(name: string, bytes: Uint8Array | string): Promise<string>;
}

/** What effects may be worked out from, before anything runs. */
export interface EffectContext {
  readonly workspace: Workspace;
  resolve(path: string): ResolvedPath;
}

type OrPromise<T> = T | Promise<T>;

/** Why a tool is deprecated, and the name of the tool to use instead. */
export interface Deprecation {
  replacement: string;
  reason?: string;
}

/** What an author writes. */
export interface ToolOptions<Input, Parsed, Output> {
  name: string;
  description: string;
  input: InputSchema<Input, Parsed>;
  permission?: PermissionLevel;
  category?: Category;
  /** A semver version. Default 1.0.0. */
  version?: string;
  author?: string;
  tags?: readonly string[];
  /** What to use instead; a deprecated tool stays callable, and is no longer listed or offered. */
  deprecated?: false | Deprecation;
  /** Names of credentials, injected as `ctx.credentials`. */
  requiresAuth?: readonly string[];
  /** Tools that it calls through `ctx.dispatch`, by name, with the semver range that it needs. */
  dependencies?: Readonly<Record<string, Dependency>>;
  /** What `execute` returns; a result that does not fit is a failure of the tool. */
  output?: StandardSchemaV1<unknown, Output>;
  effects?: (input: NoInfer<Parsed>, ctx: EffectContext) => OrPromise<readonly Effect[]>;
  /** Milliseconds, or false for no limit. Default 120,000. */
  timeoutMs?: number | false | ((input: NoInfer<Parsed>) => number | false);
  /**
   * `exclusive` runs alone among the calls of a turn; `none` takes no place among them, for a tool that waits for
   * further calls. Default `parallel`.
   */
  concurrency?: "parallel" | "exclusive" | "none";
  execute: (input: NoInfer<Parsed>, ctx: ToolContext) => OrPromise<Output | Failure>;
  /** What the model sees, where that isn't the output as text or JSON. */
  toModel?: (output: Output) => string | readonly ContentPart[];
}

/** A tool as the registry holds it. Methods, not function properties, so that any tool fits `Tool`. */
export interface Tool<Parsed = unknown, Output = unknown> {
  readonly [TOOL]: true;
  readonly name: string;
  readonly description: string;
  readonly input: InputSchema;
  /** What a model may send, closed where the schema is. Made when first read. */
  readonly jsonSchema: JsonSchema;
  readonly permission: PermissionLevel;
  readonly category: Category;
  readonly version: string;
  readonly author: string;
  readonly tags: readonly string[];
  readonly deprecated: false | Deprecation;
  readonly requiresAuth: readonly string[];
  readonly dependencies: Readonly<Record<string, Dependency>>;
  readonly output: StandardSchemaV1 | undefined;
  readonly concurrency: "parallel" | "exclusive" | "none";
  effects?(input: Parsed, ctx: EffectContext): OrPromise<readonly Effect[]>;
  timeoutFor(input: Parsed): number | false;
  execute(input: Parsed, ctx: ToolContext): OrPromise<Output | Failure>;
  toModel?(output: Output): string | readonly ContentPart[];
}

const NAME = /^[a-z][a-z0-9_]{0,63}$/;
/** The pattern that semver.org gives for a version. */
const SEMVER =
  /^(0|[1-9]\d*)\.(0|[1-9]\d*)\.(0|[1-9]\d*)(?:-((?:0|[1-9]\d*|\d*[a-zA-Z-][0-9a-zA-Z-]*)(?:\.(?:0|[1-9]\d*|\d*[a-zA-Z-][0-9a-zA-Z-]*))*))?(?:\+([0-9a-zA-Z-]+(?:\.[0-9a-zA-Z-]+)*))?$/;
const DEFAULT_TIMEOUT_MS = 120_000;

/**
 * Makes a tool. Types follow from `input`: `execute` gets the schema's output type.
 * Throws a SetupError `invalid_tool` that names the tool and the wrong field.
 */
export function defineTool<Input, Parsed, Output>(
  options: ToolOptions<Input, Parsed, Output>,
): Tool<Parsed, Output> {
  const {
    name,
    description,
    permission = "safe",
    category = "utility",
    timeoutMs = DEFAULT_TIMEOUT_MS,
  } = options;
  check(NAME.test(name), name, `a name is ${NAME.source} (snake_case)`);
  check(typeof description === "string" && description.trim() !== "", name, "the description is empty");
  check(PERMISSION_LEVELS.includes(permission), name, `permission is one of ${PERMISSION_LEVELS.join(", ")}`);
  check(CATEGORIES.includes(category), name, `category is one of ${CATEGORIES.join(", ")}`);
  check(SEMVER.test(options.version ?? "1.0.0"), name, `version ${options.version} is not a semver version`);
  for (const [needed, dependency] of Object.entries(options.dependencies ?? {})) {
    check(validRange(rangeOf(dependency)) !== null, name, `dependencies.${needed} is not a semver range`);
  }
  check(typeof options.execute === "function", name, "execute is not a function");
  let jsonSchema: JsonSchema | undefined;
  return Object.freeze({
    [TOOL]: true as const,
    name,
    description,
    input: options.input,
    get jsonSchema() {
      return (jsonSchema ??= toJsonSchema(options.input, `tool ${name}`));
    },
    permission,
    category,
    version: options.version ?? "1.0.0",
    author: options.author ?? "",
    tags: Object.freeze([...(options.tags ?? [])]),
    deprecated: options.deprecated ?? false,
    requiresAuth: Object.freeze([...(options.requiresAuth ?? [])]),
    dependencies: Object.freeze({ ...options.dependencies }),
    output: options.output,
    concurrency: options.concurrency ?? "parallel",
    timeoutFor: (input: Parsed) => (typeof timeoutMs === "function" ? timeoutMs(input) : timeoutMs),
    execute: options.execute,
    ...(options.effects === undefined ? {} : { effects: options.effects }),
    ...(options.toModel === undefined ? {} : { toModel: options.toModel }),
  });
}

function check(holds: boolean, name: string, problem: string): asserts holds {
  if (!holds) throw new SetupError("invalid_tool", `tool ${JSON.stringify(name)}: ${problem}`);
}

/** Whether something was made by {@link defineTool}, of any copy of this package. */
export const isTool = (value: unknown): value is Tool => hasBrand(value, TOOL);
