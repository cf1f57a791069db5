import { spawn, spawnSync } from "node:child_process";
import { stripVTControlCharacters } from "node:util";
import { BIN } from "./run-toycoder.ts";

/** Whether util-linux's `script` is there, which gives a program a terminal. */
export const hasTerminal: boolean = String(spawnSync("script", ["--version"]).stdout).includes("util-linux");

export const KEY = {
  enter: "\r",
  down: "\u001b[B",
  up: "\u001b[A",
  ctrlC: "\u0003",
  ctrlD: "\u0004",
} as const;

/** So that a test which fails says what was there instead, and ends its terminal. */
const PATIENCE_MS = 12_000;

export interface Terminal extends AsyncDisposable {
  /** Everything that was written, with its escape sequences. */
  readonly raw: string;
  /** The same without them. */
  readonly text: string;
  type(keys: string): void;
  /** Resolves once this was written after what was waited for last; rejects where the program ends before. */
  shows(text: string): Promise<void>;
  /** The exit code. */
  readonly done: Promise<number>;
}

export interface TerminalOptions {
  cwd: string;
  columns?: number;
  env?: Record<string, string>;
}

/** Runs the built command in a pseudo-terminal of its own, with a home in `cwd` and no keys. */
export function openTerminal(
  args: readonly string[],
  { cwd, columns = 100, env }: TerminalOptions,
): Terminal {
  const command = [process.execPath, BIN, ...args].map(
    (word) => `'${word.replaceAll("'", String.raw`'\''`)}'`,
  );
  const child = spawn(
    "script",
    ["-qfec", `stty cols ${columns} rows 40; exec ${command.join(" ")}`, "/dev/null"],
    {
      cwd,
      stdio: ["pipe", "pipe", "ignore"],
      env: {
        PATH: process.env["PATH"] ?? "",
        HOME: cwd,
        TERM: "xterm-256color",
        SHELL: "/bin/sh",
        TOYCODER_STATE_DIR: `${cwd}/.state`,
        OLLAMA_HOST: "http://127.0.0.1:9",
        ...env,
      },
    },
  );
  let raw = "";
  let seen = 0;
  let ended = false;
  let look = (): void => {};
  const text = (): string => stripVTControlCharacters(raw).replaceAll("\r", "");
  child.stdout.setEncoding("utf8").on("data", (piece: string) => {
    raw += piece;
    look();
  });
  child.stdin.on("error", () => {});
  const done = new Promise<number>((resolve, reject) => {
    child.on("error", reject);
    child.on("close", (code) => {
      ended = true;
      look();
      resolve(code ?? -1);
    });
  });
  return {
    get raw() {
      return raw;
    },
    get text() {
      return text();
    },
    done,
    type: (keys) => void child.stdin.write(keys),
    shows: (wanted) =>
      new Promise((resolve, reject) => {
        const giveUp = (why: string): void => {
          look = () => {};
          reject(new Error(`${why}: ${JSON.stringify(wanted)}, but\n${text().slice(seen)}`));
        };
        const patience = setTimeout(() => giveUp("not shown"), PATIENCE_MS);
        look = () => {
          const at = text().indexOf(wanted, seen);
          if (at !== -1) {
            seen = at + wanted.length;
            clearTimeout(patience);
            look = () => {};
            resolve();
          } else if (ended) {
            clearTimeout(patience);
            giveUp("ended before it showed");
          }
        };
        look();
      }),
    async [Symbol.asyncDispose]() {
      if (!ended) child.kill("SIGKILL");
      await done;
    },
  };
}
