import path from "node:path";
import type { Effect, EffectContext } from "@toycoder/core";
import type { Parser } from "./read-script.ts";
import type { ShellState } from "./shell-state.ts";

/** Thrown where a script is more than is looked through: it is then opaque as a whole. */
export class TooMuch extends Error {}

const MAX_COST = 256;
const MAX_DEPTH = 10;
const MAX_CHARACTERS = 60_000;

/** What one look through a command collects, and how far it may go. */
export class Walk {
  readonly context: EffectContext;
  readonly parser: Parser;
  /** The environment that the command gets. */
  readonly environment: Readonly<Record<string, string>>;
  /** Looks through a text of commands that runs in a copy of `state`: a substitution, or what `sh -c` is given. */
  readonly walkText: (text: string, state: ShellState) => void;
  /** The states in which `break` and `continue` leave each loop around the place, outermost first. */
  readonly loops: ShellState[][] = [];
  /** Whether nothing ran so far that could change a folder. */
  undisturbed: boolean = true;
  changesFolder: boolean = false;
  makesLinks: boolean = false;
  /** Files that the commands write with contents of their own choice, and that they run; absolute. */
  readonly written: Set<string> = new Set();
  readonly programs: Set<string> = new Set();
  definesFunction: boolean = false;
  #effects = new Map<string, Effect>();
  #spent = 0;
  #characters = 0;
  #depth = 0;

  constructor(
    context: EffectContext,
    parser: Parser,
    environment: Readonly<Record<string, string>>,
    walkText: (walk: Walk, text: string, state: ShellState) => void,
  ) {
    this.context = context;
    this.parser = parser;
    this.environment = environment;
    this.walkText = (text, state) => {
      this.#characters += text.length;
      if (this.#depth >= MAX_DEPTH || this.#characters > MAX_CHARACTERS) throw new TooMuch();
      this.#depth++;
      const loops = this.loops.splice(0);
      walkText(this, text, state);
      this.loops.push(...loops);
      this.#depth--;
    };
  }

  get effects(): Effect[] {
    return [...this.#effects.values()];
  }

  add(...effects: readonly Effect[]): void {
    for (const effect of effects) {
      const key = JSON.stringify(effect);
      if (!this.#effects.has(key)) this.#effects.set(key, effect);
    }
  }

  /** Why the commands together may do more than each of them says. */
  get entanglement(): string | undefined {
    if (this.changesFolder && this.definesFunction)
      return "with a function, the folder is only known when it runs";
    if ([...this.programs].some((program) => this.written.has(program)))
      return "it runs what it writes itself";
    const others = this.effects.some((effect) =>
      effect.kind === "exec"
        ? path.posix.basename(effect.argv[0] ?? "") !== "ln"
        : effect.kind === "write" && effect.implied !== true,
    );
    if (this.makesLinks && others) return "a link that it makes can change what its paths mean";
    return undefined;
  }

  /** A part of the command that could do anything. */
  addOpaque(text: string, reason: string): void {
    this.add({ kind: "exec", argv: [text], opaque: true, reason });
  }

  /** Counts one more command, simple or compound; one that takes long to look at counts for several. */
  spend(cost = 1): void {
    this.#spent += cost;
    if (this.#spent > MAX_COST) throw new TooMuch();
  }
}
