import { lstatSync, readdirSync, realpathSync } from "node:fs";
import path from "node:path";
import type { Effect, EffectContext } from "@toycoder/core";
import { expandGlob } from "./expand-glob.ts";
import { physicalPath } from "./physical-path.ts";
import type { ShellWord } from "./shell-word.ts";

/** Programs that change the files among their arguments; `last` ones only the last, and what `-t` names. */
const WRITERS: ReadonlyMap<string, "all" | "last"> = new Map<string, "all" | "last">([
  ...pairs("tee mv rm rmdir unlink shred touch mkdir truncate chmod chown chgrp", "all" as const),
  ...pairs("cp ln install rsync scp dd", "last" as const),
]);

/** A program that reads all of a folder. */
interface FolderReader {
  /** The option that makes it do so, where it takes one. */
  option?: RegExp;
  /** Without a path it reads the working folder. Holds the options that surely take no value. */
  flags?: RegExp;
}

const GREP: FolderReader = {
  option: /^(?:-[A-Za-z]*[rRd]|--(?:d|r|der|rec))/,
  flags: /^(?:-[rRniIHhlLcovwxEFGPsqabz]+|--[a-z-]+=.*)$/,
};
const SEARCH: FolderReader = { flags: /^(?:-[niIHhlLcovwxFPsqabSuN]+|--[a-z-]+=.*)$/ };

const FOLDER_READERS: ReadonlyMap<string, FolderReader> = new Map<string, FolderReader>([
  ...pairs("rg ag ack rgrep", SEARCH),
  ...pairs("grep egrep fgrep zgrep", GREP),
  ...pairs("cp scp", { option: /^(?:-[A-Za-z]*[raR]|--(?:rec|arch))/ }),
  ...pairs("tar zip 7z 7za rsync", {}),
  ["diff", { option: /^(?:-[A-Za-z]*r|--rec)/ }],
]);

function pairs<Value>(names: string, value: Value): (readonly [string, Value])[] {
  return names.split(" ").map((name) => [name, value] as const);
}

const MAX_CHILDREN = 1000;
const HARMLESS_DEVICE = /^\/dev\/(?:null|zero|full|u?random|tty|std(?:in|out|err)|fd\/\d+)$/;
const URL_HOST = /^[a-z][a-z0-9+.-]*:\/\/(?:[^/?#@]*@)?(\[[^\]]*\]|[^/:?#]+)/i;

/** Whether a program changes all files among its arguments. */
export const writesArguments = (command: string): boolean => WRITERS.has(path.posix.basename(command));

/** What the arguments of a command let one expect that it touches: paths (absolute) and hosts. */
export function impliedEffects(words: readonly ShellWord[], folder: string, ctx: EffectContext): Effect[] {
  const [first, ...args] = words;
  const name = path.posix.basename(first?.value ?? "");
  const argv = args.map((word) => word.value);
  const reading = readingOf(name, argv);
  const writes = writtenWords(name, args);
  const effects = new Map<string, Effect>();
  const add = (kind: "read" | "write", target: string, recursive = false): void => {
    const effect: Effect = { kind, path: target, implied: true, ...(recursive ? { recursive } : {}) };
    effects.set(JSON.stringify(effect), effect);
  };

  for (const word of args) {
    const host = URL_HOST.exec(word.value)?.[1];
    if (host !== undefined) {
      effects.set(host, { kind: "net", host, implied: true });
      if (name === "curl" || name === "wget")
        add("write", path.join(folder, path.posix.basename(word.value)));
      continue;
    }
    for (const candidate of candidatesOf(word, folder)) {
      const writing = writes.has(word) && candidate.text === writtenText(word.value);
      for (const target of physicalPaths(candidate.path, folder)) {
        const type = typeOf(target);
        if (!mayMatter(candidate.path, target, type, writing, ctx)) continue;
        add("read", target, candidate.whole || (type === "folder" && reading !== "files"));
        if (!writing) continue;
        add("write", target);
        if (type === "folder") for (const inner of innerPaths(target, argv)) add("write", inner);
      }
    }
  }
  if (reading === "working folder") add("read", folder, true);
  return [...effects.values()];
}

/** Whether the command reads only files, or whole folders: those among its arguments, or the working folder too. */
function readingOf(name: string, argv: readonly string[]): "files" | "folders" | "working folder" {
  if (name === "git" && argv[0] === "grep") return "working folder";
  const reader = FOLDER_READERS.get(name);
  if (reader === undefined) return "files";
  const { option, flags } = reader;
  if (option !== undefined && !argv.some((arg) => option.test(arg))) return "files";
  if (flags === undefined) return "folders";
  const options = argv.filter((arg) => arg.startsWith("-") && arg !== "--");
  const operands = argv.filter((arg) => !arg.startsWith("-"));
  // The first operand is the pattern, unless an option took it for its value.
  return operands.length > 1 && options.every((one) => flags.test(one)) ? "folders" : "working folder";
}

function writtenWords(name: string, args: readonly ShellWord[]): ReadonlySet<ShellWord> {
  const outputs = args.filter(
    ({ value }, at) =>
      /^(?:-o.|--out[a-z-]*=)/i.test(value) || /^(?:-o|--out[a-z-]*)$/i.test(args[at - 1]?.value ?? ""),
  );
  const kind = WRITERS.get(name);
  // Here -o is an option of the shell.
  if (/^(?:ba|da|a|z|k)?sh$|^set$/.test(name)) return new Set();
  if (kind === undefined) return new Set(outputs);
  if (kind === "all") return new Set(args);
  if (name === "dd") return new Set(args.filter((word) => word.value.startsWith("of=")));
  const last = args.filter((word) => !word.value.startsWith("-")).at(-1);
  const named = args.filter(
    (word, at) => /^(?:-t.|--t)/.test(word.value) || /^-[A-Za-z]*t$/.test(args[at - 1]?.value ?? ""),
  );
  return new Set(last === undefined ? named : [...named, last]);
}

/** The part of a written word that is the path: `of=x`, `--output=x`, `-ox`. */
const writtenText = (value: string): string => value.replace(/^(?:--[^=]*=|of=|-[ot](?=.))/, "");

interface Candidate {
  path: string;
  /** The text of the word that it comes from. */
  text: string;
  /** Stands for everything beneath it. */
  whole: boolean;
}

/** The texts within a word that may be paths: the whole, after `=`, `@` or `:`, after a short option's letter. */
function candidatesOf({ value, glob, tilde }: ShellWord, folder: string): Candidate[] {
  if (URL_HOST.test(value)) return [];
  const texts = new Set([value]);
  if (/^-[A-Za-z0-9]./.test(value)) texts.add(value.slice(2));
  for (const part of value.split(/[=:,@]/)) texts.add(part);
  const from = value.indexOf("=");
  if (from !== -1) texts.add(value.slice(from + 1));
  texts.delete("");
  return [...texts].flatMap((text): Candidate[] => {
    const literal = text.startsWith("~") && !tilde && text === value ? `./${text}` : text;
    if (!glob || !/[*?[]/.test(text)) return [{ path: literal, text, whole: false }];
    const found = expandGlob(text.startsWith("~") ? expandTilde(text) : text, folder);
    if (found === undefined) {
      const above = text.slice(0, text.search(/[*?[]/)).replace(/[^/]*$/, "");
      return [{ path: above || ".", text, whole: true }];
    }
    return [text, ...found].map((one) => ({ path: one, text, whole: false }));
  });
}

/**
 * Where a path leads when the system walks it from `folder`: `..` after a link leaves the link's target, not the
 * folder that holds the link. Both readings where they differ.
 */
function physicalPaths(text: string, folder: string): readonly string[] {
  const lexical = path.resolve(folder, expandTilde(text));
  if (!text.includes("..")) return [lexical];
  const at = physicalPath(expandTilde(text), folder);
  return at === lexical ? [at] : [at, lexical];
}

const expandTilde = (text: string): string => {
  const home = process.env.HOME;
  return home !== undefined && /^~(?:\/|$)/.test(text) ? home + text.slice(1) : text;
};

function typeOf(target: string): "file" | "folder" | undefined {
  try {
    const stats = lstatSync(target, { throwIfNoEntry: false });
    if (stats === undefined) return undefined;
    if (stats.isSymbolicLink()) return typeOf(realpathSync.native(target));
    return stats.isDirectory() ? "folder" : "file";
  } catch {
    return undefined;
  }
}

/**
 * Whether a text counts as a path. Outside the workspace it has to exist (or its folder, to be written): a word
 * like `/api/users` is no path there.
 */
function mayMatter(
  text: string,
  target: string,
  type: "file" | "folder" | undefined,
  writing: boolean,
  ctx: EffectContext,
): boolean {
  if (text.length > 1024 || target.includes("\0") || HARMLESS_DEVICE.test(target)) return false;
  if (type !== undefined) return true;
  if (!ctx.resolve(target).inside) return writing && typeOf(path.dirname(target)) === "folder";
  return writing ? !text.startsWith("-") : text.includes("/") || text.startsWith(".");
}

/** What a write to a folder touches in it: what is there, and what would come in under its own name. */
function innerPaths(folder: string, argv: readonly string[]): string[] {
  const names = new Set(argv.filter((arg) => !arg.startsWith("-")).map((arg) => path.basename(arg)));
  try {
    for (const name of readdirSync(folder).slice(0, MAX_CHILDREN)) names.add(name);
  } catch {
    // A folder that cannot be listed has nothing to add.
  }
  return [...names]
    .filter((name) => name !== "" && name !== "." && name !== "..")
    .map((name) => path.join(folder, name));
}
