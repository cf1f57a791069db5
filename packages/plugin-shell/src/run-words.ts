import path from "node:path";
import type { Effect } from "@toycoder/core";
import { followCd } from "./follow-cd.ts";
import { readGit } from "./git-words.ts";
import { changesShell, hidesCommands, runsFiles } from "./hides-commands.ts";
import { impliedEffects, writesArguments } from "./implied-effects.ts";
import { physicalPath } from "./physical-path.ts";
import { isBareRepository, isReadOnly } from "./read-only-commands.ts";
import { isBashOnly } from "./read-script.ts";
import { type Outcome, type ShellState, unchanged, UNKNOWN_STATE, withoutVariables } from "./shell-state.ts";
import type { ShellWord, ShellWords } from "./shell-word.ts";
import { expandTilde } from "./tilde.ts";
import { variantsOf } from "./variants.ts";
import type { Walk } from "./walk.ts";
import { rootsOf } from "./wrappers/find.ts";
import { unwrap } from "./wrappers/unwrap.ts";
import type { Unwrapped } from "./wrappers/unwrapped.ts";
import { writeFiles } from "./write-files.ts";

export interface Circumstances {
  /** The command as it was written. */
  text: string;
  /** Why it may do more than its words say. */
  reason: string | undefined;
}

/**
 * The effects of a command by its words: the command itself, what it runs if it is a wrapper, and what its arguments
 * imply. One that may do more than its words say is an opaque effect besides.
 */
export function runWords(words: ShellWords, state: ShellState, walk: Walk, given: Circumstances): Outcome {
  const { text } = given;
  walk.spend(Math.floor(words.length / 16) + 4 * words.filter((word) => word.glob).length);
  const [first] = words;
  const name = first.value;
  if (first.unknown === true || first.glob || first.tilde || first.stream === true || /^%|^$/.test(name)) {
    walk.addOpaque(text, "the command's name is not written out");
    addImplied(words, state, walk);
    walk.undisturbed = false;
    return unchanged(UNKNOWN_STATE);
  }
  if (name === "cd") {
    if (given.reason !== undefined) walk.addOpaque(text, given.reason);
    return followCd(words, text, state, walk);
  }
  const jump = given.reason === undefined ? jumpOf(words, state, walk) : undefined;
  if (jump !== undefined) return jump;

  const unwrapped = unwrap(words);
  const reason = given.reason ?? reasonOf(words, state, walk, unwrapped);
  if (reason !== undefined) walk.addOpaque(text, reason);
  const readOnly = reason === undefined && isReadOnly(words, state.folders);
  for (const argv of spellings(words, state, walk)) {
    const variants = variantsOf(words);
    const exec: Effect = { kind: "exec", argv };
    if (variants.length > 0) exec.variants = variants;
    if (readOnly) exec.readOnly = true;
    walk.add(exec);
  }
  addImplied(words, state, walk);
  notePrograms(words, state, walk);
  if (!readOnly) walk.undisturbed = false;
  const inner = unwrapped === undefined ? undefined : runUnwrapped(words, unwrapped, state, walk);
  if (inner !== undefined) return inner;
  return unchanged(reason !== undefined && changesShell(name) ? UNKNOWN_STATE : state);
}

/** `exit`, `break` and the like do nothing that rules could be about. */
function jumpOf([first, ...args]: ShellWords, state: ShellState, walk: Walk): Outcome | undefined {
  if (!/^(?:exit|return|break|continue)$/.test(first.value)) return undefined;
  const known = args.length === 0 || (args.length === 1 && /^\d+$/.test(args[0]?.value ?? ""));
  const leaves = known && first.value !== "return" && !walk.definesFunction;
  if (/^[bc]/.test(first.value)) {
    if (walk.loops.length === 0) return unchanged(state);
    for (const loop of walk.loops) loop.push(state);
  }
  return leaves ? { ok: undefined, fail: undefined } : unchanged(state);
}

/** Programs that do nothing with the contents of a pipe but read them. */
const STREAM_READERS = new Set("cat diff cmp comm paste join wc head tail grep sort uniq tee".split(" "));

function reasonOf(
  words: ShellWords,
  state: ShellState,
  walk: Walk,
  unwrapped: Unwrapped | undefined,
): string | undefined {
  const [first] = words;
  const name = first.value;
  const printing = takesAnyValue(words);
  const unknown = printing ? undefined : words.find((word) => word.unknown === true);
  if (unknown !== undefined) return `${unknown.value} is only known when it runs`;
  if (words.some((word) => word.stream === true) && !STREAM_READERS.has(name)) {
    return `${name} gets what other commands write`;
  }
  const unsure = words.find(expandsToAnyWord);
  if (unsure !== undefined) return `${unsure.value} can stand for any word`;
  if (unwrapped !== undefined) return unwrapped.opaque;
  const isGit = path.posix.basename(name) === "git";
  const git = isGit ? readGit(words) : undefined;
  const hidden = git?.opaque ?? hidesCommands((git?.words ?? words).map((word) => word.value));
  if (hidden !== undefined) return hidden;
  if (state.folders === undefined && !printing) return "the folder that it runs in is only known then";
  if (git !== undefined && gitFolders(git.folders, state, walk).some(isBareRepository)) {
    return "git follows the settings of the repository that the folder is";
  }
  return undefined;
}

/** Commands that print their arguments, whatever these are. */
function takesAnyValue([first, format]: ShellWords): boolean {
  if (/^(?:echo|true|false|:)$/.test(first.value)) return true;
  return first.value === "printf" && format !== undefined && format.unknown !== true && !format.glob;
}

/**
 * `pus[h]` becomes `push` where such a file is, and `*` may become an option; `./*.ts`, `.e*` and `--include=*.ts`
 * stay what they are.
 * A tilde with a name is another person's home, or a folder that only the shell knows.
 */
function expandsToAnyWord({ value, glob, tilde }: ShellWord): boolean {
  if (tilde && !/^~(?:\/|$)/.test(value)) return true;
  return glob && !tilde && !/^(?:\.|\/|[^*?[-][^*?[]*\/|--[a-z][a-z0-9-]*=)/.test(value);
}

/** The words, with a program that is named relative to another folder than the workspace's as a rule would name it. */
function spellings(words: ShellWords, { folders }: ShellState, { context }: Walk): string[][] {
  const [name = "", ...args] = words.map((word) => word.value);
  if (!name.includes("/") || path.isAbsolute(name) || folders === undefined) return [[name, ...args]];
  const { root } = context.workspace;
  const names = folders.map((folder) => {
    if (folder === root) return name;
    const relative = path.relative(root, path.resolve(folder, name));
    return relative.startsWith("..") ? path.resolve(folder, name) : `./${relative}`;
  });
  return [...new Set(names)].map((one) => [one, ...args]);
}

/** The files that run: a program by its path, and what a shell or an interpreter gets. */
function notePrograms([first, ...args]: ShellWords, { folders = [] }: ShellState, walk: Walk): void {
  const files = [first, ...(runsFiles(first.value) ? args : [])].filter(({ value }, index) =>
    index === 0 ? value.includes("/") : !value.startsWith("-"),
  );
  for (const { value, tilde } of files) {
    const place = tilde ? (expandTilde(value, walk) ?? value) : value;
    for (const folder of folders) walk.programs.add(physicalPath(place, folder));
  }
}

function addImplied(words: ShellWords, state: ShellState, walk: Walk): void {
  const isGit = path.posix.basename(words[0].value) === "git";
  const git = isGit ? readGit(words) : undefined;
  const [first, ...args] = git?.words ?? words;
  const known = args.filter((word) => word.unknown !== true && word.stream !== true);
  const { context } = walk;
  const folders = new Set(state.folders ?? [context.workspace.root]);
  const inGit = gitFolders(git?.folders ?? [], state, walk);
  for (const folder of inGit) folders.add(folder);
  if (git !== undefined && git.folders.length > 0)
    walk.add(...inGit.map((one): Effect => ({ kind: "read", path: one, implied: true })));
  const name = path.posix.basename(first.value);
  walk.makesLinks ||= name === "ln";
  const copies = writesArguments(name) || name === "curl" || name === "wget";
  for (const folder of folders) {
    const implied = impliedEffects([first, ...known], folder, context);
    walk.add(...implied);
    for (const effect of implied) if (copies && effect.kind === "write") walk.written.add(effect.path);
  }
}

/** Where git works after its -C. */
function gitFolders(words: readonly ShellWord[], { folders = [] }: ShellState, walk: Walk): string[] {
  const names = words.map((word) =>
    word.tilde ? (expandTilde(word.value, walk) ?? word.value) : word.value,
  );
  return folders.map((folder) => path.resolve(folder, ...names));
}

/** Looks into what a wrapper runs. Gives the outcome where that happens in this shell. */
function runUnwrapped(
  words: ShellWords,
  unwrapped: Unwrapped,
  state: ShellState,
  walk: Walk,
): Outcome | undefined {
  const { inner = [], script, writes = [], addsArguments = false } = unwrapped;
  const innerState = unwrapped.elsewhere === true ? { ...state, folders: undefined } : state;
  let outcome: Outcome | undefined;
  for (const command of inner) {
    walk.spend();
    const text = command.map((word) => word.value).join(" ");
    const reason = addsArguments
      ? `${words[0].value} adds arguments that are only known when it runs`
      : undefined;
    outcome = runWords(command, innerState, walk, { text, reason });
    if (addsArguments) addFound(words, command, state, walk);
  }
  if (script !== undefined) {
    if (!script.bash && isBashOnly(script.text)) {
      walk.addOpaque(script.text, "shells other than bash may read it differently");
    }
    walk.walkText(script.text, withoutVariables(state));
  }
  writeFiles(writes, state, walk);
  return unwrapped.inShell === true ? outcome : undefined;
}

/** What `find` gives to a command lies in the folders where it looks. */
function addFound([program, ...args]: ShellWords, [name]: ShellWords, state: ShellState, walk: Walk): void {
  if (path.posix.basename(program.value) !== "find") return;
  for (const root of rootsOf(args)) {
    if (root.unknown === true) continue;
    for (const folder of state.folders ?? []) {
      const place = path.resolve(folder, root.value);
      walk.add({ kind: "read", path: place, recursive: true, implied: true });
      if (writesArguments(name.value))
        walk.add({ kind: "write", path: place, recursive: true, implied: true });
    }
  }
}
