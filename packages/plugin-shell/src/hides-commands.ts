import path from "node:path";

/** Programs that run what their arguments (or their input) say. */
const RUNNERS = new Set(
  (
    "ionice chrt taskset setsid su runuser pkexec setarch unbuffer chronic fakeroot xvfb-run torsocks proxychains " +
    "proxychains4 valgrind perf hyperfine rlwrap direnv nix-shell faketime tmux screen m4 cpio pax pwsh powershell parallel toybox script watch entr flock chroot unshare nsenter strace ltrace gdb lldb expect " +
    "ssh docker podman kubectl eval source . trap alias at batch crontab systemd-run bwrap firejail proot " +
    "awk gawk mawk nawk vi vim nvim view ex ed emacs ld.so ld-linux.so.2 ld-linux-x86-64.so.2 start-stop-daemon"
  ).split(" "),
);

/** Builtins that evaluate their arguments (`let 'a[$(rm x)]'` runs rm), or change how the shell works. */
const EVALUATING_BUILTINS = new Set(
  (
    "let declare typeset export readonly local unset read mapfile readarray getopts wait enable hash bind complete " +
    "compgen compopt shopt fc history coproc return shift unalias dirs pushd popd suspend disown jobs fg bg"
  ).split(" "),
);

const SHELLS = new Set(["sh", "bash", "dash", "ash", "zsh", "ksh", "mksh", "fish", "rbash"]);

interface Interpreter {
  name: RegExp;
  inline: RegExp;
}

/** Interpreters, and the options with which they run code that is given in the arguments. */
const INTERPRETERS: readonly Interpreter[] = [
  { name: /^(?:python|pypy)[\d.]*$/, inline: /^-[A-Za-z]*c|^-$/ },
  {
    name: /^(?:node|nodejs)$/,
    inline: /^-[a-z]*[ep]|^--(?:eval|print|import|require|loader|experimental-loader)|^-r|^-$/,
  },
  { name: /^(?:bun|deno)$/, inline: /^-[ep]|^--(?:eval|print|preload)|^eval$|^-$/ },
  { name: /^perl[\d.]*$/, inline: /^-[A-Za-z0]*[eEMmnpdx]|^-$/ },
  { name: /^ruby[\d.]*$/, inline: /^-[A-Za-z]*[er]|^-$/ },
  { name: /^php[\d.]*$/, inline: /^-[A-Za-z]*[rBRE]|^--(?:run|process)|^-$/ },
  { name: /^(?:lua|luajit|tclsh|Rscript|osascript|guile|ghc|julia)[\d.]*$/, inline: /^-/ },
];

/** Options with which a program runs another one or writes past its arguments. */
interface Running {
  /** Tested against each argument. */
  option?: RegExp;
  /** Names of long options; an abbreviation of one counts. */
  long?: readonly string[];
}

const RUNNING_OPTIONS: ReadonlyMap<string, Running> = new Map<string, Running>([
  ["fd", { option: /^-[A-Za-z]*[xX]/, long: ["exec", "exec-batch"] }],
  ["fdfind", { option: /^-[A-Za-z]*[xX]/, long: ["exec", "exec-batch"] }],
  ["rg", { option: /^-[A-Za-z]*z/, long: ["pre", "hostname-bin", "search-zip"] }],
  [
    "tar",
    {
      option: /^-?[A-Za-z]*[IFT]/,
      long: [
        "to-command",
        "checkpoint-action",
        "use-compress-program",
        "rsh-command",
        "info-script",
        "new-volume-script",
        "files-from",
      ],
    },
  ],
  ["rsync", { option: /^-[A-Za-z]*e/, long: ["rsh", "rsync-path", "files-from"] }],
  ["sort", { option: /^-[A-Za-z]*o/, long: ["output", "compress-program", "files0-from"] }],
  ["wc", { long: ["files0-from"] }],
  ["du", { long: ["files0-from"] }],
  ["curl", { option: /^-[A-Za-z]*K/, long: ["config"] }],
  ["wget", { option: /^-[A-Za-z]*[ei]/, long: ["execute", "use-askpass", "input-file", "config"] }],
  ["scp", { option: /^-[A-Za-z]*[SoFD]/ }],
  ["sftp", { option: /^-/ }],
  ["zip", { option: /^-[A-Za-z]*T/, long: ["unzip-command"] }],
  ["npm", { option: /^-c/, long: ["call"] }],
  ["npx", { option: /^-c/, long: ["call"] }],
  ["make", { option: /^-[A-Za-z]*E|^SHELL=/, long: ["eval"] }],
  ["man", { option: /^-/ }],
  ["less", { option: /^[-+]/ }],
  ["more", { option: /^[-+]/ }],
  ["printf", { option: /^-/ }],
  ["test", { option: /^-[vR]$/ }],
  ["[", { option: /^-[vR]$/ }],
]);

const GIT_RUNNING = new Set([
  "bisect",
  "filter-branch",
  "difftool",
  "mergetool",
  "web--browse",
  "instaweb",
  "hook",
]);
const GIT_LONG = [
  "upload-pack",
  "receive-pack",
  "exec",
  "ext-diff",
  "textconv",
  "open-files-in-pager",
  "extcmd",
];
const GIT_OPTIONS: ReadonlyMap<string, Running> = new Map<string, Running>([
  ["clone", { option: /^-(?:[a-z]*[uc]|-conf|-temp)/ }],
  ["init", { long: ["template"] }],
  ["rebase", { option: /^-[a-z]*x/ }],
  ["grep", { option: /^-[A-Za-z]*O/ }],
]);

const substitution = (delimiter: string): string => {
  const text = String.raw`(?:[^${delimiter}\\\n]|\\[^\n])*`;
  return `s${delimiter}${text}${delimiter}${text}${delimiter}[gpI\\d]*`;
};
const ADDRESS = String.raw`(?:\d+|\$|/(?:[^/\\\n]|\\[^\n])*/)`;

/** Scripts of sed that only select, print, delete or replace. */
const PLAIN_SED = new RegExp(
  `^(?:${ADDRESS}(?:,${ADDRESS})?)?(?:[pdq=]|${["/", "#", ","].map(substitution).join("|")})$`,
);

/** Whether a program runs files among its arguments. */
export function runsFiles(command: string): boolean {
  const name = path.posix.basename(command);
  return (
    SHELLS.has(name) ||
    /^(?:make|gmake|source|\.)$/.test(name) ||
    INTERPRETERS.some((one) => one.name.test(name))
  );
}

/** Whether a builtin may leave the shell in another state: other variables, another folder, other functions. */
export const changesShell = (command: string): boolean =>
  EVALUATING_BUILTINS.has(command) || /^(?:eval|source|\.|trap|alias|printf)$/.test(command);

/**
 * Why a command with known words may still do something that its words don't show, so that it has to be taken as
 * opaque; undefined where they tell.
 */
export function hidesCommands(argv: readonly string[]): string | undefined {
  const [command = "", ...args] = argv;
  const name = path.posix.basename(command);
  if (RUNNERS.has(name)) return `${name} runs other commands`;
  if (EVALUATING_BUILTINS.has(command)) return `the shell's ${command} evaluates its arguments`;
  if (SHELLS.has(name)) return hidesInShell(name, args);
  const inline = INTERPRETERS.find((one) => one.name.test(name))?.inline;
  const stream = args.find((arg) => /^\/(?:dev\/(?:stdin|fd\/)|proc\/[^/]+\/fd\/)/.test(arg));
  if (inline !== undefined && stream !== undefined) return `${name} runs what it finds in ${stream}`;
  if (inline !== undefined) {
    const at = args.find((arg) => inline.test(arg));
    if (args.length === 0 || at !== undefined) return `${name} runs code that is not in a file`;
    return undefined;
  }
  const option = runningOption(args, RUNNING_OPTIONS.get(name));
  if (option !== undefined) return `${name} ${option} can run or write anything`;
  if (name === "git") return hidesInGit(args);
  if (name === "printf" && args.some((arg) => /%[-+ #'\d.*$lhjztLq]*n/.test(arg)))
    return "printf %n sets a variable";
  if (name === "set" && !/^-(?:[eu]+|[eu]*o pipefail|o (?:errexit|nounset))$/.test(args.join(" "))) {
    return "the shell's set changes how it works";
  }
  if (name === "sed" || name === "gsed") return hidesInSed(args);
  return undefined;
}

/** A shell that runs a script file is as good as the script; everything else is not known. */
function hidesInShell(name: string, [first]: readonly string[]): string | undefined {
  return first === undefined || /^[-+]|^\/(?:dev|proc)\//.test(first)
    ? `${name} runs other commands`
    : undefined;
}

function hidesInGit([subcommand = "", ...args]: readonly string[]): string | undefined {
  if (subcommand.startsWith("-") && args.length > 0) return "git has options that are not understood";
  if (GIT_RUNNING.has(subcommand)) return `git ${subcommand} runs other commands`;
  if (subcommand === "submodule" && args.includes("foreach")) return "git submodule foreach runs commands";
  if (subcommand === "config" && !args.some((arg) => /^(?:-l|--list|--get.*|get|list)$/.test(arg))) {
    return "git config can make git run other commands";
  }
  const option =
    runningOption(args, GIT_OPTIONS.get(subcommand)) ??
    runningOption(args, { option: /^ext::/, long: GIT_LONG });
  return option === undefined ? undefined : `git ${subcommand} ${option} can run or write anything`;
}

function runningOption(args: readonly string[], running: Running | undefined): string | undefined {
  const { option, long = [] } = running ?? {};
  return args.find((arg) => {
    if (option?.test(arg) === true) return true;
    const [, name] = /^--([^=]+)/.exec(arg) ?? [];
    return name !== undefined && long.some((one) => one.startsWith(name));
  });
}

function hidesInSed(args: readonly string[]): string | undefined {
  const scripts: string[] = [];
  for (let at = 0; at < args.length; at++) {
    const arg = args[at] ?? "";
    if (arg === "-e") scripts.push(args[++at] ?? "");
    else if (arg.startsWith("-") && !/^-(?:[nErsz]+|-quiet|-silent|-regexp-extended)$/.test(arg)) {
      return `sed ${arg} can run or write anything`;
    }
  }
  const script = args.find((arg) => !arg.startsWith("-"));
  if (scripts.length === 0) scripts.push(script ?? "");
  return scripts.every((one) => PLAIN_SED.test(one))
    ? undefined
    : "a script of sed can run or write anything";
}
