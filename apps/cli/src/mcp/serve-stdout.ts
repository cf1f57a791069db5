import type { Io } from "../io.ts";

/**
 * Takes stdout for one purpose: what anything else in this process prints to it (a plugin's console.log) goes to
 * stderr from now on, for good. Gives the only way that is left to write to it.
 */
export function takeStdout({
  stdout,
  stderr,
}: Pick<Io, "stdout" | "stderr">): (text: string, done: () => void) => void {
  const write = stdout.write.bind(stdout);
  Object.assign(stdout, { write: stderr.write.bind(stderr) });
  return (text, done) => void write(text, () => done());
}
