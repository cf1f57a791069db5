import { isRecord } from "@toycoder/core/wire";

/** What a model sent, for dispatch to decode: what is no object goes as its text, so that the refusal can say so. */
export const callArguments = (input: unknown): string | Record<string, unknown> =>
  isRecord(input) ? input : typeof input === "string" ? input : (JSON.stringify(input) ?? "");
