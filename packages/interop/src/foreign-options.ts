import type { Category, PermissionLevel, Tool } from "@toycoder/core";

/** What is said here of another framework's tools, which say nothing of it themselves. */
export interface ForeignOptions {
  /** The level of every tool that `levels` does not name. Default `sensitive`: each call asks. */
  level?: PermissionLevel;
  /** Levels by a glob (`*`, `?`) of the framework's own names; the last one that matches counts. */
  levels?: Readonly<Record<string, PermissionLevel>>;
  /** Default `external_api`. */
  category?: Category;
  /** Milliseconds that a call may take, or false for no limit. Default 120,000. */
  timeoutMs?: number | false;
}

/** A tool that could not be taken over, by its own name, and why. */
export interface LeftOutTool {
  name: string;
  reason: string;
}

/** Another framework's tools as ToyCoder's. */
export interface ForeignTools {
  tools: Tool[];
  leftOut: LeftOutTool[];
}
