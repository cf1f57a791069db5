import type { ShellWord, ShellWords } from "./shell-word.ts";

/** A git command without the options before its subcommand. */
export interface GitWords {
  /** `git`, the subcommand and its arguments. */
  words: ShellWords;
  /** The folders of -C, one after the other. */
  folders: readonly ShellWord[];
  /** Why the options may make git do something else. */
  opaque?: string;
  /** Whether there were options at all. */
  plain: boolean;
}

const HARMLESS_FLAG =
  /^--(?:no-pager|no-optional-locks|no-replace-objects|literal-pathspecs|glob-pathspecs|noglob-pathspecs|icase-pathspecs|no-advice|no-lazy-fetch)$|^-P$/;
/** Settings that only change what is shown, or who wrote a commit. */
const HARMLESS_SETTING =
  /^(?:user\.(?:name|email)|color\.[a-z]+|core\.quotepath|core\.abbrev|advice\.[a-z]+|log\.date|diff\.renames|init\.defaultbranch|commit\.gpgsign=false|tag\.gpgsign=false)(?:=|$)/i;

/** Takes the options off that stand between `git` and its subcommand. */
export function readGit([git, ...args]: ShellWords): GitWords {
  const folders: ShellWord[] = [];
  let opaque: string | undefined;
  let at = 0;
  for (; at < args.length; at++) {
    const value = args[at]?.value ?? "";
    if (!value.startsWith("-")) break;
    if (HARMLESS_FLAG.test(value)) continue;
    const next = args[at + 1];
    if (value === "-C" && next !== undefined) folders.push(next);
    else if (value === "-c" && next !== undefined) {
      if (!HARMLESS_SETTING.test(next.value)) opaque ??= `git -c ${next.value} can run or write anything`;
    } else if (
      /^--(?:git-dir|work-tree|namespace|super-prefix|config-env|exec-path|attr-source|list-cmds)$/.test(
        value,
      )
    ) {
      opaque ??= `git ${value} can make it run other commands`;
    } else {
      // `git --version` and `git --help` are subcommands of their own.
      if (!/^--(?:version|help|html-path|man-path|info-path|exec-path)$|^-[vh]$/.test(value)) {
        opaque ??= `git ${value} can make it run other commands`;
      }
      continue;
    }
    at++;
  }
  const words: ShellWords = [git, ...args.slice(at)];
  return { words, folders, plain: at === 0, ...(opaque === undefined ? {} : { opaque }) };
}
