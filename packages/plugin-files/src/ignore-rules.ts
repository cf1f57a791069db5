import { lstat, readFile } from "node:fs/promises";
import path from "node:path";
import type { Ignore } from "ignore";

/** Folders that listings leave out unless they are named, as search does. */
const SKIPPED: ReadonlySet<string> = new Set([
  ".git",
  "node_modules",
  "__pycache__",
  ".venv",
  "venv",
  ".tox",
]);

/** As search reads them: what an earlier one says, from whichever folder, outdoes the later ones. */
const RULE_FILES = [".rgignore", ".ignore", ".gitignore"] as const;

type RuleFile = (typeof RULE_FILES)[number];

/** The ignore rules that hold in one folder: its own and those of the folders above it. */
export class IgnoreRules {
  readonly #folder: string;
  readonly #parent: IgnoreRules | undefined;
  readonly #own: ReadonlyMap<RuleFile, Ignore>;

  private constructor(folder: string, parent: IgnoreRules | undefined, own: ReadonlyMap<RuleFile, Ignore>) {
    this.#folder = folder;
    this.#parent = parent;
    this.#own = own;
  }

  /**
   * The rules for entries of `folder`, which lies in `root`, a root of the workspace; both absolute. They count from
   * `root` down, and where that lies in a git repository, from the repository's root down. Rules that ignore
   * `folder` itself or one above it don't: it was named.
   */
  static async load(root: string, folder: string): Promise<IgnoreRules> {
    const top = (await repositoryOf(root)) ?? root;
    let rules = await IgnoreRules.#at(top, undefined);
    let at = top;
    for (const name of path.relative(top, folder).split(path.sep)) {
      if (name === "") break;
      at = path.join(at, name);
      rules.#allow(at);
      rules = await IgnoreRules.#at(at, rules);
    }
    return rules;
  }

  /** The rules one folder further down. */
  async enter(folder: string): Promise<IgnoreRules> {
    return await IgnoreRules.#at(folder, this);
  }

  static async #at(folder: string, parent: IgnoreRules | undefined): Promise<IgnoreRules> {
    const own = new Map<RuleFile, Ignore>();
    for (const file of RULE_FILES) {
      const text = await readFile(path.join(folder, file), "utf8").catch(() => "");
      if (text.trim() === "") continue;
      const { default: ignore } = await import("ignore");
      own.set(file, ignore({ allowRelativePaths: true, ignorecase: false }).add(text));
    }
    return new IgnoreRules(folder, parent, own);
  }

  /** Takes a folder out of what the rules ignore; what is in it is still judged by itself. */
  #allow(folder: string): void {
    const parts = path.relative(this.#folder, folder).split(path.sep);
    const escaped = parts.join("/").replaceAll(/[\\*?[\]! ]/g, String.raw`\$&`);
    for (const rules of this.#own.values()) rules.add(`!/${escaped}/`);
    if (this.#parent !== undefined) this.#parent.#allow(folder);
  }

  /** Whether an entry is left out; the deepest rule that speaks of it decides. */
  ignores(absolute: string, isFolder: boolean): boolean {
    if (isFolder && SKIPPED.has(path.basename(absolute))) return true;
    for (const file of RULE_FILES) {
      const verdict = this.#verdict(file, absolute, isFolder);
      if (verdict !== undefined) return verdict;
    }
    return false;
  }

  #verdict(file: RuleFile, absolute: string, isFolder: boolean): boolean | undefined {
    const rules = this.#own.get(file);
    if (rules !== undefined) {
      const relative = path.relative(this.#folder, absolute).replaceAll(path.sep, "/");
      const { ignored, unignored } = rules.test(isFolder ? `${relative}/` : relative);
      if (ignored || unignored) return ignored;
    }
    return this.#parent === undefined ? undefined : this.#parent.#verdict(file, absolute, isFolder);
  }
}

/** The nearest folder from `folder` up that is a git repository. */
async function repositoryOf(folder: string): Promise<string | undefined> {
  for (let at = folder; ; at = path.dirname(at)) {
    const stats = await lstat(path.join(at, ".git")).catch(() => undefined);
    if (stats !== undefined) return at;
    if (path.dirname(at) === at) return undefined;
  }
}
