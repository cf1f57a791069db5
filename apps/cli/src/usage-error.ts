import { isSetupError } from "@toycoder/core";

/** Wrong use of the command: exit 2. `hint` says how to go on. */
export class UsageError extends Error {
  readonly hint: string | undefined;

  constructor(message: string, hint?: string) {
    super(message);
    this.name = "UsageError";
    this.hint = hint;
  }
}

/** Does what a flag or word of the command line asks for; a SetupError becomes a UsageError that names the place, where there is one. */
export function asUsage<T>(place: string, act: () => T): T {
  try {
    return act();
  } catch (error) {
    throw isSetupError(error)
      ? new UsageError(place === "" ? error.message : `${place}: ${error.message}`, error.hint)
      : error;
  }
}
