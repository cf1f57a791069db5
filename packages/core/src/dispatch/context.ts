import { lstatSync } from "node:fs";
import path from "node:path";
import { ToolError } from "../errors.ts";
import type { ToolResult } from "../message.ts";
import type { PathBounds } from "../permission/path-bounds.ts";
import { readBounds, writeBounds } from "../permission/policy-bounds.ts";
import { type PathFilter, type PathPair, readFilter, writeFilter } from "../permission/read-filter.ts";
import type { ResolvedPath, Workspace } from "../permission/workspace.ts";
import type { Session } from "../session.ts";
import type { Deadline } from "./deadline.ts";
import type { FileChange, Tool, ToolContext } from "../tool.ts";

export interface ContextParts {
  session: Session;
  tool: Tool;
  callId: string;
  deadline: Deadline;
  /** The paths that were authorized, as they led then. */
  resolved: ReadonlyMap<string, ResolvedPath>;
  progress: (message: string) => void;
  dispatch: (name: string, args: Readonly<Record<string, unknown>>) => Promise<ToolResult>;
}

/** The `ctx` of one call. */
export class CallContext implements ToolContext {
  readonly #parts: ContextParts;
  readonly #folders = new Map<string, string>();
  #workspace: Workspace | undefined;
  #reads: { filter: PathFilter | undefined } | undefined;
  #writes: { filter: PathFilter | undefined } | undefined;

  constructor(parts: ContextParts) {
    this.#parts = parts;
  }

  get signal(): AbortSignal {
    return this.#parts.deadline.signal;
  }

  /** The session's workspace, but that an authorized path leads where it led when it was authorized. */
  get workspace(): Workspace {
    const { session, resolved } = this.#parts;
    if (resolved.size === 0) return session.workspace;
    this.#workspace ??= {
      ...session.workspace,
      resolve: (path) => resolved.get(path) ?? session.workspace.resolve(path),
    };
    return this.#workspace;
  }

  get credentials(): Readonly<Record<string, string>> {
    const { session, tool } = this.#parts;
    return Object.fromEntries(tool.requiresAuth.map((name) => [name, session.credentials[name] ?? ""]));
  }

  get sessionId(): string {
    return this.#parts.session.id;
  }

  get callId(): string {
    return this.#parts.callId;
  }

  resolve(path: string): ResolvedPath {
    return this.#parts.resolved.get(path) ?? this.#parts.session.resolve(path);
  }

  mayRead(path: string): boolean {
    const filter = this.#readFilter();
    return filter === undefined || filter(this.#locate(path));
  }

  get hidesPaths(): boolean {
    return this.#readFilter() !== undefined;
  }

  #readFilter(): PathFilter | undefined {
    const { session, tool } = this.#parts;
    this.#reads ??= { filter: readFilter(session.policy, session.factsOf(tool)) };
    return this.#reads.filter;
  }

  mayWrite(path: string): boolean {
    const { session, tool } = this.#parts;
    this.#writes ??= { filter: writeFilter(session.policy, session.factsOf(tool)) };
    const { filter } = this.#writes;
    return filter === undefined || filter(this.#locate(path));
  }

  bounds(effect: "read" | "write"): PathBounds | undefined {
    const { session, tool } = this.#parts;
    return (effect === "read" ? readBounds : writeBounds)(session.policy, session.factsOf(tool));
  }

  /** Like `workspace.resolve`, quick where many paths share few folders. */
  #locate(given: string): PathPair {
    const absolute = path.isAbsolute(given) ? path.normalize(given) : this.workspace.resolve(given).absolute;
    if (!isPlainEntry(absolute)) return this.workspace.resolve(absolute);
    const folder = path.dirname(absolute);
    let real = this.#folders.get(folder);
    if (real === undefined) this.#folders.set(folder, (real = this.workspace.resolve(folder).real));
    return { absolute, real: path.join(real, path.basename(absolute)) };
  }

  async ask(question: string, options: readonly string[] = []): Promise<string> {
    const ask = this.#parts.session.ask.question;
    if (ask === undefined) {
      throw new ToolError("no_user", "nobody is there to answer", {
        hint: "decide by yourself and say what you assumed, or stop and report what is missing",
      });
    }
    return await ask(question, options, this.signal);
  }

  progress(message: string): void {
    this.#parts.progress(message);
  }

  dispatch(name: string, args: Readonly<Record<string, unknown>>): Promise<ToolResult> {
    return this.#parts.dispatch(name, args);
  }

  state(key: string): Map<string, unknown> {
    return this.#parts.session.state(key);
  }

  recordChange(change: FileChange): void {
    this.#parts.session.recordChange(change);
  }

  spill(name: string, bytes: Uint8Array | string): Promise<string> {
    return this.#parts.session.spills.write(name, bytes);
  }
}

/** Whether something other than a symbolic link is at `absolute`. */
function isPlainEntry(absolute: string): boolean {
  try {
    return lstatSync(absolute, { throwIfNoEntry: false })?.isSymbolicLink() === false;
  } catch {
    return false;
  }
}
