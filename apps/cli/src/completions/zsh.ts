import type { Completable, CompletableCommand, CompletableFlag } from "./describe-commands.ts";

/** A script for zsh, to be evaluated or to be a file of `fpath`. */
export function zshCompletions(commands: readonly CompletableCommand[]): string {
  return `#compdef toycoder
# toycoder for zsh: eval "$(toycoder completions zsh)" in ~/.zshrc, after compinit
_toycoder() {
  local -a commands
  commands=(
${commands.map(({ name, summary }) => `    ${quote(`${name}:${summary.replaceAll(":", "\\:")}`)}`).join("\n")}
    'help:what a command does'
  )
  if (( CURRENT == 2 )); then
    _describe command commands
    return
  fi
  local command=$words[2]
  shift words
  (( CURRENT-- ))
  case $command in
    help) _describe command commands ;;
${commands.map(branch).join("\n")}
  esac
}
if [[ $funcstack[1] == _toycoder ]]; then _toycoder "$@"; else compdef _toycoder toycoder; fi
`;
}

function branch({ name, words, flags }: CompletableCommand): string {
  const first = words.length === 0 ? [] : [quote(`1: :(${words.join(" ")})`)];
  const specs = [...flags.map((flag) => quote(specOf(flag))), ...first, quote("*: :")];
  return `    ${name}) _arguments -s ${specs.join(" ")} ;;`;
}

function specOf({ name, help, many, takes }: CompletableFlag): string {
  const told = help.replaceAll(/[[\]:\\]/g, String.raw`\$&`);
  return `${many ? "*" : ""}--${name}[${told}]${takes === "nothing" ? "" : `: :${actionFor(takes)}`}`;
}

function actionFor(takes: Completable): string {
  if (typeof takes === "object") return `(${takes.words.join(" ")})`;
  return takes === "file" ? "_files" : takes === "folder" ? "_files -/" : "";
}

const quote = (text: string): string => `'${text.replaceAll("'", String.raw`'\''`)}'`;
