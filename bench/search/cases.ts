import {
  createPolicy,
  createSession,
  createWorkspace,
  dispatch,
  type Session,
  ToolRegistry,
} from "@toycoder/core";
import { globSearch, grepSearch } from "@toycoder/plugin-search";
import { listByTime, ripgrep, ripgrepByTime } from "./by-hand.ts";

export interface Case {
  name: string;
  /** The most that the tool may take, as a multiple of the other. */
  aim: number;
  tool: () => Promise<void>;
  byHand: () => Promise<unknown>;
}

const GREP_AIM = 1.15;
const GLOB_AIM = 1.3;
const HIDDEN = ["read:.env*", "read:area9/part9/**"];

/** What is measured in the tree at `root`. */
export function cases(root: string): Case[] {
  const open = openSession(root, []);
  const guarded = openSession(root, HIDDEN);
  const grep =
    (args: Record<string, unknown>, session = open) =>
    () =>
      call(session, "grep_search", args);
  const glob =
    (args: Record<string, unknown>, session = open) =>
    () =>
      call(session, "glob_search", args);
  return [
    {
      name: "grep: a rare word",
      aim: GREP_AIM,
      tool: grep({ pattern: "needle" }),
      byHand: () => ripgrep(root, ["needle"]),
    },
    {
      name: "grep: a rare word, with deny rules",
      aim: GREP_AIM,
      tool: grep({ pattern: "needle" }, guarded),
      byHand: () => ripgrep(root, ["needle"]),
    },
    {
      name: "grep: the first search of a session with deny rules",
      aim: GREP_AIM,
      tool: () => call(openSession(root, HIDDEN), "grep_search", { pattern: "needle" }),
      byHand: () => ripgrep(root, ["needle"]),
    },
    {
      name: "grep: a word in 80,000 lines",
      aim: GREP_AIM,
      tool: grep({ pattern: "alpha alpha" }),
      byHand: () => ripgrep(root, ["alpha alpha"]),
    },
    {
      name: "grep: every line (1.6 million)",
      aim: GREP_AIM,
      tool: grep({ pattern: "[a-z]" }),
      byHand: () => ripgrep(root, ["[a-z]"]),
    },
    {
      name: "grep: include *.py",
      aim: GREP_AIM,
      tool: grep({ pattern: "needle", include: "*.py" }),
      byHand: () => ripgrep(root, ["--type-add", "x:*.py", "--type", "x", "needle"]),
    },
    {
      name: "grep: files only",
      aim: GREP_AIM,
      tool: grep({ pattern: "session", output_mode: "files" }),
      byHand: () => ripgrep(root, ["--count", "session"]),
    },
    {
      name: "grep: look-around",
      aim: GREP_AIM,
      tool: grep({ pattern: "(?<=the )hay" }),
      byHand: () => ripgrep(root, ["--pcre2", "(?<=the )hay"]),
    },
    {
      name: "glob: **/*.py (10,000 files) beside a sorted listing",
      aim: GLOB_AIM,
      tool: glob({ pattern: "**/*.py" }),
      byHand: () => listByTime(root, /\.py$/),
    },
    {
      name: "glob: **/*.py beside rg --sortr modified",
      aim: GLOB_AIM,
      tool: glob({ pattern: "**/*.py" }),
      byHand: () => ripgrepByTime(root, "*.py"),
    },
    {
      name: "glob: **/* (50,000 files)",
      aim: GLOB_AIM,
      tool: glob({ pattern: "**/*" }),
      byHand: () => listByTime(root, /./),
    },
    {
      name: "glob: **/*.py, with deny rules",
      aim: GLOB_AIM,
      tool: glob({ pattern: "**/*.py" }, guarded),
      byHand: () => listByTime(root, /\.py$/),
    },
    {
      name: "glob: a name that is not there",
      aim: GLOB_AIM,
      tool: glob({ pattern: "absent.ts" }),
      byHand: () => listByTime(root, /\/absent\.ts$/),
    },
  ];
}

function openSession(root: string, deny: readonly string[]): Session {
  const registry = new ToolRegistry();
  registry.registerMany([globSearch, grepSearch]);
  const workspace = createWorkspace({ root });
  const policy = createPolicy({ root: workspace.root, deny: [...deny] });
  return createSession({ registry, policy, workspace });
}

async function call(session: Session, name: string, args: Record<string, unknown>): Promise<void> {
  const result = await dispatch({ id: "call", name, arguments: args }, session);
  if (!result.ok) throw new Error(result.error.message);
}
