export interface GlobOptions {
  /** Whether a wildcard at the start of a name also matches a dot there. */
  dot: boolean;
  /** Upper and lower case are the same. */
  ignoreCase?: boolean;
}

/**
 * Compiles a glob into a test of relative paths with `/`. `*` and `?` stay within a name, `**` spans folders,
 * `{a,b}` are alternatives, `[a-z]` and `[!a-z]` sets; brackets also match themselves, as in `[id].tsx`. Without a
 * slash the pattern matches at any depth; a leading `./` or `/` pins it to the top.
 */
export function compileGlob(pattern: string, options: GlobOptions): (path: string) => boolean {
  const pinned = pattern.replace(/^(?:\.?\/)+/, "");
  const anyDepth = pinned === pattern && !hasSlash(pattern);
  const source = new GlobReader(pinned, options).read(pinned.endsWith("/"));
  const regex = new RegExp(
    `^${anyDepth ? folders(options) : ""}${source}$`,
    options.ignoreCase === true ? "sui" : "su",
  );
  return (path) => regex.test(path);
}

/** Whether the pattern names a folder, within braces too. */
const hasSlash = (pattern: string): boolean => pattern.replace(/\/$/, "").includes("/");

/** Any number of folders. */
const folders = ({ dot }: GlobOptions): string => (dot ? "(?:[^/]+/)*" : String.raw`(?:(?!\.)[^/]+/)*`);

const quote = (text: string): string => text.replaceAll(/[\\^$.*+?()[\]{}|/]/g, String.raw`\$&`);

class GlobReader {
  readonly #text: string;
  readonly #options: GlobOptions;
  #at = 0;
  /** Whether a name begins here. */
  #fresh = true;

  constructor(text: string, options: GlobOptions) {
    this.#text = text;
    this.#options = options;
  }

  /** The source of a regular expression; `open`: for everything in the folder that the pattern names. */
  read(open: boolean): string {
    return this.#sequence(0) + (open ? `${folders(this.#options)}${this.#guard(true)}[^/]+` : "");
  }

  #sequence(depth: number): string {
    let source = "";
    while (this.#at < this.#text.length) {
      const character = this.#text.charAt(this.#at);
      if (depth > 0 && (character === "," || character === "}")) return source;
      source += this.#next(character, depth);
    }
    return source;
  }

  #next(character: string, depth: number): string {
    const fresh = this.#fresh;
    this.#fresh = character === "/";
    switch (character) {
      case "*":
        return this.#stars(fresh);
      case "?":
        this.#at++;
        return `${this.#guard(fresh)}[^/]`;
      case "[":
        return this.#brackets(fresh);
      case "{":
        return this.#braces(fresh, depth);
      case "\\":
        this.#at += 2;
        return quote(this.#text.charAt(this.#at - 1) || "\\");
      default: {
        const whole = String.fromCodePoint(this.#text.codePointAt(this.#at) ?? 0);
        this.#at += whole.length;
        return quote(whole);
      }
    }
  }

  /** Keeps a wildcard at the start of a name from a dot. */
  #guard(fresh: boolean): string {
    return fresh && !this.#options.dot ? String.raw`(?!\.)` : "";
  }

  #stars(fresh: boolean): string {
    const [stars = ""] = /^\*+/.exec(this.#text.slice(this.#at)) ?? [];
    this.#at += stars.length;
    if (stars.length === 1 || !fresh) return `${this.#guard(fresh)}[^/]*`;
    if (this.#text.charAt(this.#at) === "/") {
      this.#at++;
      this.#fresh = true;
      return folders(this.#options);
    }
    return `${folders(this.#options)}${this.#guard(true)}[^/]*`;
  }

  #brackets(fresh: boolean): string {
    const found = /^\[([!^]?)(\]?[^\]/]*)\]/.exec(this.#text.slice(this.#at));
    if (found === null) {
      this.#at++;
      return String.raw`\[`;
    }
    const [whole, not = "", body = ""] = found;
    this.#at += whole.length;
    const members = body.replaceAll(/[\\[\]^]/g, String.raw`\$&`).replaceAll(/^-|-$/g, String.raw`\-`);
    const set = `[${not === "" ? "" : "^/"}${members}]`;
    return `(?:${isValid(set) ? `${this.#guard(fresh)}${set}|` : ""}${quote(whole)})`;
  }

  #braces(fresh: boolean, depth: number): string {
    const start = this.#at;
    const choices: string[] = [];
    do {
      this.#at++;
      this.#fresh = fresh;
      choices.push(this.#sequence(depth + 1));
    } while (this.#text.charAt(this.#at) === ",");
    this.#at++;
    if (this.#at <= this.#text.length) return `(?:${choices.join("|")})`;
    // The brace is never closed: it is a character like others.
    this.#at = start + 1;
    this.#fresh = false;
    return String.raw`\{`;
  }
}

function isValid(set: string): boolean {
  try {
    return new RegExp(set, "u").source !== "";
  } catch {
    return false;
  }
}

/** Splits a list of globs at commas outside of braces and brackets. */
export function splitGlobs(list: string): string[] {
  const globs = list.match(/(?:\\.|\{(?:[^{}]|\{[^{}]*\})*\}|\[[^\]]*\]|[^,])+/gs) ?? [];
  return globs.map((glob) => glob.trim()).filter((glob) => glob !== "");
}

/** The pattern's last name as a glob that ripgrep itself can sift by, undefined where the two might not agree. */
export function nameGlob(pattern: string): string | undefined {
  if (/[[\]\\:]|\{[^}]*(?:[/{]|$)|[{,][,}]/.test(pattern)) return undefined;
  const name = pattern.slice(pattern.lastIndexOf("/") + 1);
  return name === "" || name.includes("**") || /^\*+$/.test(name) || name.includes("}") !== name.includes("{")
    ? undefined
    : name;
}
