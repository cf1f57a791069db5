import type { CompletableCommand, CompletableFlag } from "./describe-commands.ts";

/** A script for bash 3.2 or newer. */
export function bashCompletions(commands: readonly CompletableCommand[]): string {
  const names = commands.map(({ name }) => name).join(" ");
  return `# toycoder for bash: eval "$(toycoder completions bash)" in ~/.bashrc
_toycoder() {
  local IFS=$' \\t\\n' cur="\${COMP_WORDS[COMP_CWORD]}" prev="\${COMP_WORDS[COMP_CWORD-1]}" words=""
  COMPREPLY=()
  # --flag=value comes as three words.
  if [[ $cur == "=" ]]; then cur=""
  elif [[ $prev == "=" ]]; then prev="\${COMP_WORDS[COMP_CWORD-2]}"
  fi
  if [[ $COMP_CWORD -eq 1 || ( $COMP_CWORD -eq 2 && \${COMP_WORDS[1]} == help ) ]]; then
    COMPREPLY=($(compgen -W "${names} help --help --version" -- "$cur"))
    return
  fi
  case "\${COMP_WORDS[1]} $prev" in
${commands.flatMap(valueCases).join("\n")}
  esac
  case "\${COMP_WORDS[1]}" in
${commands.map(wordsCase).join("\n")}
  esac
  COMPREPLY=($(compgen -W "$words" -- "$cur"))
}
complete -F _toycoder toycoder
`;
}

const FILES: Readonly<Record<string, string>> = { file: "-f", folder: "-d" };

function valueCases({ name, flags }: CompletableCommand): string[] {
  return flags.flatMap((flag) => {
    const action = actionFor(flag);
    return action === undefined ? [] : [`    "${name} --${flag.name}") ${action}return ;;`];
  });
}

function actionFor({ takes }: CompletableFlag): string | undefined {
  if (takes === "nothing") return undefined;
  if (takes === "other") return "";
  if (typeof takes === "object") return `COMPREPLY=($(compgen -W "${takes.words.join(" ")}" -- "$cur")); `;
  const compgen = `COMPREPLY=($(compgen ${FILES[takes]} -- "$cur"))`;
  return `IFS=$'\\n'; compopt -o filenames 2>/dev/null; ${compgen}; `;
}

function wordsCase({ name, words, flags }: CompletableCommand): string {
  const all = flags.map((flag) => `--${flag.name}`).join(" ");
  const first = words.length === 0 ? "" : `; [[ $COMP_CWORD -eq 2 ]] && words="${words.join(" ")} $words"`;
  return `    ${name}) words="${all}"${first} ;;`;
}
