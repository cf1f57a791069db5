import { isCancel, select, text } from "@clack/prompts";
import { type ApprovalRequest, type Ask, type Session, ToolError } from "@toycoder/core";
import type { Io } from "../io.ts";
import { clipLines, effectText, paintDiff } from "../render/call-text.ts";
import { plainLine, plainText } from "../render/plain-text.ts";
import type { Screen } from "../render/screen.ts";
import { previewChange } from "./preview.ts";

export interface PersonParts {
  io: Pick<Io, "stdin" | "stdout">;
  screen: Screen;
  /** Leaves the keyboard to a question. */
  lend: <T>(act: () => Promise<T>) => Promise<T>;
  /** Ctrl-C at a question stops the turn. */
  interrupt: () => void;
  /** Answers every approval with yes. */
  yes: boolean;
  /** The calls whose change the person has seen. */
  shown: Set<string>;
}

/** Lines of a diff, and of a command or other arguments, that a question shows. */
const DIFF_LINES = 80;
const COMMAND_LINES = 40;

/** Asks the person at the terminal, one question at a time. `session` is the one that asks, once it is there. */
export function askPerson(parts: PersonParts, session: () => Session): Ask {
  const { screen, yes } = parts;
  return {
    ...(!yes && {
      approval: (request, signal) =>
        screen.hold(async () => {
          // An answer given meanwhile may cover this call, too.
          const rules = session().approvals.map(({ source }) => source);
          if (request.always.every((rule) => rules.includes(rule))) return "once";
          return await whileOpen(signal, (own) => askApproval(parts, request, session(), own));
        }),
    }),
    question: (question, options, signal) =>
      screen.hold(() => whileOpen(signal, (own) => askQuestion(parts, question, options, own))),
  };
}

async function askApproval(
  parts: PersonParts,
  request: ApprovalRequest,
  session: Session,
  signal: AbortSignal,
): Promise<"once" | "always" | "no"> {
  const { io } = parts;
  const { always, callId, tool } = request;
  parts.shown.add(callId);
  const rules = always.map(plainLine).join(" and ");
  const options = [
    { value: "once", label: "once" },
    { value: "always", label: `always in this session: adds the rule ${rules}` },
    { value: "no", label: "no" },
  ] as const;
  const message = `May ${plainLine(tool.name)} do this?`;
  return await prompted(parts, signal, () => {
    writeCall(parts, request, session);
    return select<"once" | "always" | "no">({ message, options: [...options], ...keyboard(io), signal });
  });
}

function writeCall(
  { io, screen }: PersonParts,
  { tool, input, decision }: ApprovalRequest,
  session: Session,
): void {
  const { paint } = screen;
  const lines = (text: string, indent: string): void =>
    void io.stdout.write(`${screen.lines(text, indent)}\n`);
  const command =
    typeof input === "object" && input !== null && "command" in input ? input.command : undefined;
  const diff = command === undefined ? previewChange(input, session) : undefined;
  lines(paint.yellow(`? ${plainLine(tool.name)}`), "  ");
  if (typeof command === "string") lines(clipLines(plainText(command), COMMAND_LINES), "    ");
  else if (diff !== undefined) lines(paintDiff(clipLines(plainText(diff), DIFF_LINES), paint), "    ");
  else lines(clipLines(plainText(JSON.stringify(input, null, 2)), COMMAND_LINES), "    ");
  const facts = [...decision.effects.map(effectText), plainLine(decision.reason)];
  lines(paint.dim(facts.join("\n")), "    ");
}

async function askQuestion(
  parts: PersonParts,
  question: string,
  options: readonly string[],
  signal: AbortSignal,
): Promise<string> {
  const own = { message: plainText(question).trim(), ...keyboard(parts.io), signal };
  const typed = (): Promise<string> => prompted(parts, signal, () => text({ ...own, validate: notEmpty }));
  if (options.length === 0) return await typed();
  const choices = options.map((option, value) => ({ value, label: plainLine(option) }));
  const other = { value: -1, label: "something else …" };
  const choice = await prompted(parts, signal, () =>
    select<number>({ ...own, options: [...choices, other] }),
  );
  return options[choice] ?? (await typed());
}

const keyboard = ({ stdin, stdout }: PersonParts["io"]) => ({
  input: stdin,
  output: stdout,
  withGuide: false,
});

/** A prompt listens to its signal for as long as that lives: it gets one that ends with the question. */
async function whileOpen<T>(signal: AbortSignal, ask: (own: AbortSignal) => Promise<T>): Promise<T> {
  const question = new AbortController();
  const stop = (): void => question.abort(signal.reason);
  if (signal.aborted) stop();
  signal.addEventListener("abort", stop, { once: true });
  try {
    return await ask(question.signal);
  } finally {
    signal.removeEventListener("abort", stop);
  }
}

const notEmpty = (value: string | undefined): string | undefined =>
  value === undefined || value.trim() === "" ? "an answer, please; Ctrl-C stops the turn" : undefined;

/** The answer; throws where the person pressed Ctrl-C instead, which stops the turn, or where that was stopped. */
async function prompted<T>(
  { lend, interrupt }: PersonParts,
  signal: AbortSignal,
  ask: () => Promise<T>,
): Promise<Exclude<T, symbol>> {
  if (!signal.aborted) {
    const answer = await lend(ask);
    if (!isCancel(answer)) return answer as Exclude<T, symbol>;
    if (!signal.aborted) interrupt();
  }
  throw new ToolError("cancelled", "the turn was stopped");
}
