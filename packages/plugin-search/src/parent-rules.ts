import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import type { ToolContext } from "@toycoder/core";
import { compileGlob } from "./glob-pattern.ts";

const RULE_FILES = [".gitignore", ".ignore", ".rgignore"] as const;

/** ripgrep's options for the rules above the folder that it searches. */
export interface ParentRules {
  args: readonly string[];
  /** Takes away what they needed. */
  remove: () => void;
}

/**
 * The rules that hold in `cwd` from above it: those from the workspace's root down, and where that lies in a git
 * repository, from the repository's root down. ripgrep alone goes up to the file system's root: where there are
 * rules further up, it is kept from that and gets what does hold in a file, which is there until `remove`.
 */
export function parentRules(cwd: string, { workspace }: ToolContext): ParentRules {
  const root = workspace.roots.find((one) => isWithin(one, cwd)) ?? cwd;
  const top = repositoryOf(root) ?? root;
  const strays = foldersAbove(top).some((folder) =>
    RULE_FILES.some((name) => existsSync(path.join(folder, name))),
  );
  if (!strays) return { args: [], remove: () => {} };
  const rules = rulesBetween(top, cwd);
  if (rules.length === 0) return { args: ["--no-ignore-parent"], remove: () => {} };
  const folder = mkdtempSync(path.join(tmpdir(), "toycoder-rules-"));
  const file = path.join(folder, "rules");
  writeFileSync(file, `${rules.join("\n")}\n`);
  return {
    args: ["--no-ignore-parent", "--ignore-file", file],
    remove: () => rmSync(folder, { recursive: true, force: true }),
  };
}

const isWithin = (folder: string, target: string): boolean =>
  target === folder || target.startsWith(folder.endsWith(path.sep) ? folder : folder + path.sep);

/** All folders above one, the nearest first. */
function foldersAbove(folder: string): string[] {
  const above: string[] = [];
  for (let at = folder; path.dirname(at) !== at; at = path.dirname(at)) above.push(path.dirname(at));
  return above;
}

const repositoryOf = (folder: string): string | undefined =>
  [folder, ...foldersAbove(folder)].find((one) => existsSync(path.join(one, ".git")));

/** The rules of the folders from `top` to above `cwd`, as they would read in `cwd`, weaker ones first. */
function rulesBetween(top: string, cwd: string): string[] {
  const names = path
    .relative(top, cwd)
    .split(path.sep)
    .filter((name) => name !== "");
  return RULE_FILES.flatMap((file) =>
    names.flatMap((_, depth) =>
      readRules(path.join(top, ...names.slice(0, depth), file), names.slice(depth)),
    ),
  );
}

function readRules(file: string, names: readonly string[]): string[] {
  let text: string;
  try {
    text = readFileSync(file, "utf8");
  } catch {
    return [];
  }
  return text.split(/\r?\n/).flatMap((line) => lowerRule(line, names));
}

/** A rule as it reads so many folders further down; none where it speaks of nothing there. */
export function lowerRule(line: string, names: readonly string[]): string[] {
  const rule = line.replace(/(?<!\\)[ \t]+$/, "");
  if (rule === "" || rule.startsWith("#")) return [];
  const [, not = "", body = ""] = /^(!?)(.*)$/s.exec(rule) ?? [];
  const [, core = "", end = ""] = /^(.*?)(\/?)$/s.exec(body) ?? [];
  if (!core.includes("/")) return [rule];
  const left = descend(core.replace(/^\//, "").split("/"), names);
  return left.map((parts) => `${not}/${parts.join("/")}${end}`);
}

/** What is left of a pattern's parts behind these folders, in every way that it can match them. */
function descend(parts: readonly string[], names: readonly string[]): (readonly string[])[] {
  const [name, ...deeper] = names;
  if (name === undefined) return [parts];
  const [part = "", ...rest] = parts;
  if (part === "**") return [...descend(parts, deeper), ...(rest.length > 0 ? descend(rest, names) : [])];
  return rest.length > 0 && compileGlob(`./${part}`, { dot: true })(name) ? descend(rest, deeper) : [];
}
