import { FAILURE, hasBrand, MODEL_ERROR, SETUP_ERROR, TOOL_ERROR } from "./brand.ts";

/** The codes that dispatch itself answers with; a tool may use codes of its own beside them. */
export type DispatchErrorCode =
  | "invalid_json"
  | "unknown_tool"
  | "tool_disabled"
  | "dependency_missing"
  | "auth_missing"
  | "invalid_arguments"
  | "permission_denied"
  | "approval_required"
  | "outside_workspace"
  | "timeout"
  | "cancelled"
  | "execution_failed";

/** `code` is machine-readable (snake_case), `message` says what was wrong, `hint` what to do about it. */
export interface ErrorInfo {
  code: string;
  message: string;
  hint?: string;
}

export interface ErrorOptions {
  hint?: string;
  cause?: unknown;
}

/** An expected failure of a tool. Thrown from `execute`, it reaches the model as `{ code, message, hint }`. */
export class ToolError extends Error {
  readonly code: string;
  readonly hint: string | undefined;

  constructor(code: string, message: string, options: ErrorOptions = {}) {
    super(message, options.cause === undefined ? undefined : { cause: options.cause });
    this.name = "ToolError";
    this.code = code;
    this.hint = options.hint;
    Object.defineProperty(this, TOOL_ERROR, { value: true });
  }
}

/** Something about the set-up is wrong: a rule, a config, a plugin, a registration, a cassette. */
export class SetupError extends Error {
  readonly code: string;
  readonly hint: string | undefined;

  constructor(code: string, message: string, options: ErrorOptions = {}) {
    super(message, options.cause === undefined ? undefined : { cause: options.cause });
    this.name = "SetupError";
    this.code = code;
    this.hint = options.hint;
    Object.defineProperty(this, SETUP_ERROR, { value: true });
  }
}

/** Why a model call failed, the same classes for every provider. */
export type ModelErrorKind =
  | "auth"
  | "rate_limit"
  | "overloaded"
  | "invalid_request"
  | "context_overflow"
  | "network"
  | "refused";

/** A model call that failed for good (retries included). `status` is the HTTP status where there was one. */
export class ModelError extends Error {
  readonly kind: ModelErrorKind;
  readonly status: number | undefined;
  readonly hint: string | undefined;

  constructor(kind: ModelErrorKind, message: string, options: ErrorOptions & { status?: number } = {}) {
    super(message, options.cause === undefined ? undefined : { cause: options.cause });
    this.name = "ModelError";
    this.kind = kind;
    this.status = options.status;
    this.hint = options.hint;
    Object.defineProperty(this, MODEL_ERROR, { value: true });
  }
}

/** Whether something is a {@link ToolError}, of any copy of this package. */
export const isToolError = (value: unknown): value is ToolError => hasBrand(value, TOOL_ERROR);

/** Whether something is a {@link SetupError}, of any copy of this package. */
export const isSetupError = (value: unknown): value is SetupError => hasBrand(value, SETUP_ERROR);

/** Whether something is a {@link ModelError}, of any copy of this package. */
export const isModelError = (value: unknown): value is ModelError => hasBrand(value, MODEL_ERROR);

/** A failure that a tool returns instead of throwing it. */
export interface Failure {
  readonly [FAILURE]: true;
  readonly error: ErrorInfo;
}

/** Returned from `execute`, it has the same effect as throwing a {@link ToolError}. */
export function fail(code: string, message: string, options: { hint?: string } = {}): Failure {
  return { [FAILURE]: true, error: errorInfo(code, message, options.hint) };
}

/** Whether something is what `fail` gives, of any copy of this package. */
export const isFailure = (value: unknown): value is Failure => hasBrand(value, FAILURE);

/** An {@link ErrorInfo} without an empty `hint` key. */
export function errorInfo(code: string, message: string, hint?: string): ErrorInfo {
  return hint === undefined ? { code, message } : { code, message, hint };
}

/** The message of whatever was thrown: an Error, a string, undefined, a hostile object. Never throws. */
export function messageOf(thrown: unknown): string {
  try {
    if (typeof thrown === "string") return thrown;
    if (typeof thrown === "object" && thrown !== null && "message" in thrown) {
      const { message } = thrown;
      if (typeof message === "string" && message !== "") return message;
    }
    return thrown === undefined ? "no reason was given" : String(thrown);
  } catch {
    return "an error that cannot be shown";
  }
}
