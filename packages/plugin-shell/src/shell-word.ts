/** One word of a command after quote removal. A glob's `value` is its pattern as written. */
export interface ShellWord {
  value: string;
  /** Holds an unquoted wildcard. */
  glob: boolean;
  /** Starts with an unquoted tilde. */
  tilde: boolean;
  /** Only known when it runs, and maybe no or several words; `value` is its source. */
  unknown?: boolean;
  /** The pipe of a process substitution. */
  stream?: boolean;
}

/** At least a name, then its arguments. */
export type ShellWords = readonly [ShellWord, ...ShellWord[]];

export const literalWord = (value: string): ShellWord => ({ value, glob: false, tilde: false });

export const unknownWord = (source: string): ShellWord => ({ ...literalWord(source), unknown: true });

/** Names of a pipe's end, where a program finds what another one wrote. */
export const STREAM = "/dev/fd/63";
