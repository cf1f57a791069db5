import { messageOf } from "../errors.ts";
import { isRecord } from "../schema/json-schema.ts";

/** What a provider or the network said about a failure, from whatever shape it came in. */
export interface ProviderFault {
  status: number | undefined;
  /** The error's `code` and `type` and, for the network, the system's code: `overloaded_error`, `ECONNRESET`. */
  codes: readonly string[];
  message: string;
  /** True where a server answered, in the stream or with a status. */
  answered: boolean;
}

/** An error object that came inside a stream with status 200. Throw it; {@link readFault} finds its parts. */
export class StreamFault extends Error {
  readonly error: unknown;

  constructor(error: unknown) {
    super("the provider sent an error in its stream");
    this.name = "StreamFault";
    this.error = error;
  }
}

/** Reads an SDK's error, a StreamFault or a network error by its shape, never by its class. */
export function readFault(thrown: unknown): ProviderFault {
  const codes: string[] = [];
  let status: number | undefined;
  let message: string | undefined;
  const answered = isRecord(thrown) && thrown.error !== undefined && thrown.error !== null;

  const read = (value: unknown, depth: number): void => {
    if (typeof value === "string" && depth > 0) message ??= value;
    if (!isRecord(value) || depth > 3) return;
    status ??= asStatus(value.status) ?? asStatus(value.code);
    // The code says more than the type: OpenAI's for a bad key are invalid_api_key and invalid_request_error.
    for (const code of [value.code, value.type]) {
      if (typeof code === "string" && code !== "error" && !codes.includes(code)) codes.push(code);
    }
    read(value.error, depth + 1);
    if (depth > 0 && typeof value.message === "string" && value.message !== "") message ??= value.message;
  };
  read(thrown, 0);
  let deepest: unknown = thrown;
  for (let cause = thrown, depth = 0; isRecord(cause) && depth < 6; cause = cause.cause, depth++) {
    if (typeof cause.code === "string" && !codes.includes(cause.code)) codes.push(cause.code);
    deepest = cause;
  }
  return {
    status,
    codes,
    message: message ?? messageOf(deepest),
    answered: answered || (isRecord(thrown) && asStatus(thrown.status) !== undefined),
  };
}

const asStatus = (value: unknown): number | undefined =>
  typeof value === "number" && value >= 400 && value < 600 ? value : undefined;
