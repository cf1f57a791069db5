import { Interruption, type Io } from "../io.ts";
import { FILES, type Format, FORMATS } from "./config-text.ts";

/** What a person is asked; the answers that stand there at first are the defaults. */
export interface Answers {
  model: string;
  /** Globs with commas between them. */
  sources: string;
  /** The test command; empty for none. */
  test: string;
  format: Format;
}

/** Asks on the terminal, on stderr. Rejects with an Interruption where the person leaves. */
export async function askPlan(defaults: Answers, io: Io): Promise<Answers> {
  const { isCancel, select, text } = await import("@clack/prompts");
  const where = { input: io.stdin, output: io.stderr, signal: io.signal };
  async function given<T>(answer: Promise<T | symbol>): Promise<T> {
    const value = await answer;
    if (isCancel(value)) throw io.signal.aborted ? io.signal.reason : new Interruption("Ctrl-C", 130);
    return value as T;
  }
  const line = async (message: string, initialValue: string): Promise<string> =>
    ((await given<string | undefined>(text({ message, initialValue, ...where }))) ?? "").trim();
  const model = await line("Which model? (auto, or PROVIDER:NAME)", defaults.model);
  const sources = await line("Where may it write unasked? (globs, with commas between)", defaults.sources);
  const test = await line("Which test command may it run unasked? (nothing: none)", defaults.test);
  const format = await given<Format>(
    select<Format>({
      message: "Which file?",
      initialValue: defaults.format,
      options: FORMATS.map((value) => ({ value, label: FILES[value] })),
      ...where,
    }),
  );
  return { model: model || "auto", sources, test, format };
}
