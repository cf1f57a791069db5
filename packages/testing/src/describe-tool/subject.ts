import type { Ask, Tool } from "@toycoder/core";
import type { ToolEncoder } from "./encode-findings.ts";

/** A call that a tool takes. */
export interface ToolExample {
  input: Readonly<Record<string, unknown>>;
  /** The code of the failure that it comes to; without it, it has to succeed. */
  fails?: string;
}

/** A call whose input is refused before anything runs. */
export interface WrongInput {
  input: Readonly<Record<string, unknown>>;
  /** What the refusal has to say, for instance the parameter's name. */
  says: string;
}

/** A tool that is held to the contract. */
export interface ToolSubject {
  tool: Tool;
  /** At least one that succeeds. */
  examples: readonly ToolExample[];
  /** Beside those that follow from the schema: an unknown key, and each required one left out. */
  wrong?: readonly WrongInput[];
  /** Files of the workspace that each call finds (path → content). */
  files?: Readonly<Record<string, string>>;
  ask?: Ask;
  credentials?: Readonly<Record<string, string>>;
  /** A call that lasts until it is aborted. Without it, the first example is aborted. */
  slow?: Readonly<Record<string, unknown>>;
  /** How providers take the tool. */
  encoders?: readonly ToolEncoder[];
  /** Encoder → what it can't be told (`path: keyword`), where that has to stay as it is. */
  losses?: Readonly<Record<string, readonly string[]>>;
  /** Codes of `inspectTool` that are meant so, with the reason. */
  accepted?: Readonly<Record<string, string>>;
}
