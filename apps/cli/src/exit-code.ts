import { isModelError, isSetupError, messageOf } from "@toycoder/core";
import { Interruption } from "./io.ts";
import { UsageError } from "./usage-error.ts";

/** What to tell of an error that ends a command, and the exit code that it has. */
export interface Told {
  exitCode: number;
  code: string;
  message: string;
  hint?: string;
}

/** Sorts an error by whose it is: the user's command line, the set-up, the provider, the signal, or ours. */
export function tellError(error: unknown): Told {
  const hinted = (hint: string | undefined): { hint?: string } => (hint === undefined ? {} : { hint });
  if (error instanceof UsageError) {
    return { exitCode: 2, code: "usage", message: error.message, ...hinted(error.hint) };
  }
  if (isSetupError(error))
    return {
      exitCode: error.code === "mcp_required" ? 8 : 3,
      code: error.code,
      message: error.message,
      ...hinted(error.hint),
    };
  if (isModelError(error))
    return { exitCode: 4, code: error.kind, message: error.message, ...hinted(error.hint) };
  if (error instanceof Interruption)
    return { exitCode: error.exitCode, code: "cancelled", message: error.message };
  return {
    exitCode: 1,
    code: "internal_error",
    message: `a defect of toycoder: ${messageOf(error)}`,
    hint: "run it again with TOYCODER_DEBUG=1 to see where, and report it",
  };
}
