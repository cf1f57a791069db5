import { readFile } from "node:fs/promises";
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
const RULE_FILES = [".gitignore", ".ignore"] as const;

/** The ignore rules that hold in one folder: its own and those of the folders above it. */
export class IgnoreRules {
  readonly #folder: string;
  readonly #parent: IgnoreRules | undefined;
  readonly #own: Ignore | undefined;

  private constructor(folder: string, parent: IgnoreRules | undefined, own: Ignore | undefined) {
    this.#folder = folder;
    this.#parent = parent;
    this.#own = own;
  }

  /**
   * The rules for entries of `folder`, from those of `top` down; both absolute, `folder` in `top`. Rules that
   * ignore `folder` itself are left out: it was named.
   */
  static async load(top: string, folder: string): Promise<IgnoreRules> {
    let rules: IgnoreRules | undefined;
    const steps = path
      .relative(top, folder)
      .split(path.sep)
      .filter((part) => part !== "");
    for (let depth = 0; depth <= steps.length; depth++) {
      const at = path.join(top, ...steps.slice(0, depth));
      if (rules?.ignores(at, true) === true) rules = undefined;
      rules = await IgnoreRules.#at(at, rules);
    }
    return rules ?? new IgnoreRules(folder, undefined, undefined);
  }

  /** The rules one folder further down. */
  async enter(folder: string): Promise<IgnoreRules> {
    return await IgnoreRules.#at(folder, this);
  }

  static async #at(folder: string, parent: IgnoreRules | undefined): Promise<IgnoreRules> {
    const texts = await Promise.all(
      RULE_FILES.map((name) => readFile(path.join(folder, name), "utf8").catch(() => "")),
    );
    const text = texts.join("\n").trim();
    if (text === "") return new IgnoreRules(folder, parent, undefined);
    const { default: ignore } = await import("ignore");
    return new IgnoreRules(folder, parent, ignore({ allowRelativePaths: true }).add(text));
  }

  /** Whether an entry is left out; the deepest rule that speaks of it decides. */
  ignores(absolute: string, isFolder: boolean): boolean {
    if (isFolder && SKIPPED.has(path.basename(absolute))) return true;
    return this.#verdict(absolute, isFolder) ?? false;
  }

  #verdict(absolute: string, isFolder: boolean): boolean | undefined {
    if (this.#own !== undefined) {
      const relative = path.relative(this.#folder, absolute).replaceAll(path.sep, "/");
      const { ignored, unignored } = this.#own.test(isFolder ? `${relative}/` : relative);
      if (ignored || unignored) return ignored;
    }
    return this.#parent === undefined ? undefined : this.#parent.#verdict(absolute, isFolder);
  }
}
