import { existsSync } from "node:fs";
import path from "node:path";
import type { ShellWords } from "./shell-word.ts";

/** Programs of which no argument makes them write or run anything. */
const ANY_ARGUMENT = new Set(
  "ls cat head wc pwd grep egrep fgrep echo printf true false : test [".split(" "),
);

/** What only shows history and differences. */
const GIT_FLAGS: Readonly<Record<string, RegExp>> = {
  status:
    /^(?:-[sbvuz]+|--(?:short|branch|long|verbose|porcelain(?:=v[12])?|show-stash|ahead-behind|no-ahead-behind|ignored(?:=\w+)?|untracked-files(?:=\w+)?|column|no-column|renames|no-renames))$/,
  log: /^(?:-\d+|-n\d*|-[pusSGLicEFPgmrRzwb]+|-[SGL].+|--(?:oneline|graph|all|branches|tags|remotes|decorate(?:=\w+)?|no-decorate|stat|shortstat|numstat|summary|name-only|name-status|patch|no-patch|reverse|merges|no-merges|first-parent|follow|abbrev-commit|date-order|topo-order|no-color|no-ext-diff|no-textconv|cached|(?:max-count|skip|since|after|until|before|author|committer|grep|format|pretty|date|abbrev|diff-filter|word-diff|unified|stat|color)=.*|pretty|word-diff|raw|full-index|relative|find-renames|cc))$/,
  diff: /^(?:-\d+|-[puzwbRaM]+|-U\d+|--(?:cached|staged|stat|shortstat|numstat|dirstat|summary|name-only|name-status|patch|no-patch|check|raw|minimal|patience|histogram|no-color|no-ext-diff|no-textconv|quiet|exit-code|text|full-index|relative|merge-base|find-renames|cc|ignore-all-space|ignore-space-change|ignore-blank-lines|word-diff|color-words|no-renames|(?:diff-filter|word-diff|unified|stat|color|abbrev|diff-algorithm)=.*))$/,
};
const SHOW = (flag: string): boolean =>
  (GIT_FLAGS.log?.test(flag) === true || GIT_FLAGS.diff?.test(flag) === true) && !flag.includes("%G");

/** Whether a command whose words are known surely does no more than read. */
export function isReadOnly(words: ShellWords, folders: readonly string[] | undefined): boolean {
  const [first, ...rest] = words;
  const args = rest.map((word) => word.value);
  if (ANY_ARGUMENT.has(first.value)) return true;
  switch (first.value) {
    case "tail":
      // It would wait for more.
      return !args.some((arg) => /^-[^-]*[fF]|^\d*[+-]?\d*f$|^--(?:f|r|p)/.test(arg));
    case "rg":
      return !args.some((arg) => /^--(?:pre|hostname-bin|search-zip)|^-[A-Za-z]*z/.test(arg));
    case "git":
      return isReadOnlyGit(args) && folders?.some(isBareRepository) === false;
    default:
      return false;
  }
}

function isReadOnlyGit([subcommand = "", ...args]: readonly string[]): boolean {
  const end = args.indexOf("--");
  const options = (end === -1 ? args : args.slice(0, end)).filter((arg) => arg.startsWith("-"));
  if (subcommand === "show") return options.every(SHOW);
  const flags = Object.hasOwn(GIT_FLAGS, subcommand) ? GIT_FLAGS[subcommand] : undefined;
  // %G lets gpg check signatures.
  return flags !== undefined && options.every((one) => flags.test(one) && !one.includes("%G"));
}

/** Whether git would take a folder, or one above it, for a repository and follow the settings in it. */
export function isBareRepository(folder: string): boolean {
  for (let at = folder; ; at = path.dirname(at)) {
    if (existsSync(path.join(at, ".git"))) return false;
    if (existsSync(path.join(at, "HEAD")) && existsSync(path.join(at, "objects"))) return true;
    if (at === path.dirname(at)) return false;
  }
}
