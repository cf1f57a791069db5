import { isModelError, ModelError, type ModelErrorKind } from "../errors.ts";
import { isRecord } from "../schema/json-schema.ts";
import { addressHint, isAddressFault, pathHint } from "./address-hint.ts";
import { isContextOverflow } from "./context-overflow.ts";
import { errorText, isHtml, shownUrl } from "./error-text.ts";
import { type ProviderFault, readFault } from "./provider-fault.ts";
import { retryAfterMs } from "./retry-after.ts";

/** A failed attempt: what to throw in the end, and whether another attempt may help. */
export interface Failure {
  error: ModelError;
  retryable: boolean;
  /** How long the server asked to wait, in milliseconds. */
  retryAfterMs?: number;
}

/** What the words of a failure are made of. */
export interface FailureContext {
  /** Who was asked, as people call it: `OpenAI`. */
  provider: string;
  /** The address that requests go to; shown in messages. */
  baseURL: string;
  /** The environment variable that holds the key, for the hint. */
  keyVariable?: string;
  /** Never shown. */
  secrets: readonly string[];
  /** Milliseconds since 1970, for a `retry-after` that is a date; default Date.now. */
  now?: () => number;
}

const RETRYABLE = new Set<ModelErrorKind>(["rate_limit", "overloaded", "network"]);
/** Used up for good: waiting doesn't help. OpenAI docs, Error codes; Anthropic docs, Errors. */
const SPENT = new Set([
  "insufficient_quota",
  "billing_hard_limit_reached",
  "billing_error",
  "credit_balance_too_low",
]);
const REFUSED = new Set([
  "content_policy_violation",
  "content_filter",
  "bio_policy",
  "misalignment_policy_violation",
]);

/** Error types inside a stream, where there is no status. OpenAI Responses and Anthropic Messages streaming docs. */
const STATUS_OF_TYPE: ReadonlyMap<string, number> = new Map([
  ["authentication_error", 401],
  ["invalid_api_key", 401],
  ["permission_error", 403],
  ["not_found_error", 404],
  ["request_too_large", 413],
  ["rate_limit_error", 429],
  ["rate_limit_exceeded", 429],
  ["invalid_request_error", 400],
  ["invalid_prompt", 400],
  ["server_error", 500],
  ["api_error", 500],
  ["timeout_error", 504],
  ["overloaded_error", 529],
]);

/** Puts whatever an attempt threw into one of the kinds of ModelError, the same for every provider. */
export function classifyFailure(thrown: unknown, context: FailureContext): Failure {
  const own = modelErrorIn(thrown);
  if (own !== undefined) return { error: own, retryable: RETRYABLE.has(own.kind) };
  const fault = readFault(thrown);
  const status =
    fault.status ?? fault.codes.map((code) => STATUS_OF_TYPE.get(code)).find((known) => known !== undefined);
  const kind = kindOf(fault, status);
  const spent =
    fault.codes.some((code) => SPENT.has(code)) || /credit balance is too low/i.test(fault.message);
  const hint = hintFor(kind, status, spent, fault, context);
  const error = new ModelError(
    spent && status !== 401 ? "rate_limit" : kind,
    describe(fault, status, context),
    {
      ...(hint === undefined ? {} : { hint }),
      ...(status === undefined ? {} : { status }),
    },
  );
  const asked = isRecord(thrown) ? retryAfterMs(thrown.headers, (context.now ?? Date.now)()) : undefined;
  const retryable = RETRYABLE.has(kind) && !spent && status !== 501 && !isAddressFault(fault);
  return { error, retryable, ...(asked === undefined ? {} : { retryAfterMs: asked }) };
}

/** A ModelError that was thrown below an SDK, which wraps what its fetch throws. */
function modelErrorIn(thrown: unknown): ModelError | undefined {
  for (let cause = thrown, depth = 0; isRecord(cause) && depth < 6; cause = cause.cause, depth++) {
    if (isModelError(cause)) return cause;
  }
  return undefined;
}

function kindOf({ codes, message, answered }: ProviderFault, status: number | undefined): ModelErrorKind {
  if (codes.some((code) => REFUSED.has(code))) return "refused";
  if (status === 401 || status === 402 || status === 403) return "auth";
  if (status === 429) return "rate_limit";
  if (answered && isContextOverflow(codes, message)) return "context_overflow";
  if (status === 408 || status === 409 || status === 425) return "network";
  if (status !== undefined)
    return status >= 500 ? "overloaded" : status === 413 ? "context_overflow" : "invalid_request";
  return answered ? "overloaded" : "network";
}

function describe(fault: ProviderFault, status: number | undefined, context: FailureContext): string {
  const { provider, baseURL, secrets } = context;
  const said = errorText(fault.message, secrets);
  const address = shownUrl(baseURL);
  if (fault.answered) {
    const place = status === 404 || isHtml(fault.message) ? ` at ${address}` : "";
    return `${provider}${place} answered ${status === undefined ? "with an error" : status}: ${said}`;
  }
  const code = fault.codes.find((one) => /^[A-Z][A-Z_0-9]+$/.test(one));
  return `no answer from ${provider} at ${address}: ${code ?? said}`;
}

function hintFor(
  kind: ModelErrorKind,
  status: number | undefined,
  spent: boolean,
  fault: ProviderFault,
  { keyVariable, baseURL }: FailureContext,
): string | undefined {
  if (spent || status === 402) return "the account has no credit or quota left; check its plan and billing";
  if (kind === "auth") {
    return status === 403
      ? "the key is valid but may not do this; check its permissions, and that it may use this model"
      : `check the key${keyVariable === undefined ? "" : ` in ${keyVariable}`}`;
  }
  if (status === 404 || (isHtml(fault.message) && (status ?? 0) < 500)) {
    return addressHint(baseURL, fault) ?? pathHint(baseURL);
  }
  if (kind === "context_overflow")
    return "the conversation is longer than the model's context window; start a new one or shorten it";
  return addressHint(baseURL, fault);
}
