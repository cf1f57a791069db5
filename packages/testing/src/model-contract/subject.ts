import type { FinishReason, Model, Usage } from "@toycoder/core";
import type { ModelSettings } from "@toycoder/core/wire";

/** A call that an answer holds; `arguments` is JSON text, or what a careless model writes instead. */
export interface AnswerCall {
  /** The empty text: the server sends none. */
  id: string;
  name: string;
  arguments: string;
}

/** What a provider's model says in one turn, in no protocol's words. */
export interface ContractAnswer {
  text?: string;
  /** The model declines, in these words. */
  refusal?: string;
  calls?: readonly AnswerCall[];
  /** Comes first; one of the wire's own samples (`ReasoningSample.value`). */
  reasoning?: unknown;
  /** The protocol's word for why it stopped, one of `stops`; default: what fits the rest. */
  stop?: string;
  /** `inputTokens` counts all of the prompt, cache reads and writes included. */
  usage?: Usage;
}

/** A way in which a provider fails. */
export type FaultKind =
  | "auth"
  | "forbidden"
  | "rate_limit"
  | "overloaded"
  | "server_error"
  | "invalid_request"
  | "context_overflow";

/** One failure in a protocol's words: as an answer of its own, and as an event within a stream. */
export interface WireFault {
  status: number;
  body: unknown;
  event: unknown;
}

/** What one request held, in the order in which it was sent. */
export interface SentRequest {
  instructions: string;
  /** The names of the tools. */
  tools: readonly string[];
  parts: readonly SentPart[];
  /** The key for the provider's prompt cache, where the protocol has one. */
  cacheKey?: string;
  /** How many places are marked for the prompt cache, where the protocol has such marks. */
  cacheMarks?: number;
}

/** `arguments` is the value as parsed from the wire; `value` of reasoning compares with a sample's `sent`. */
export type SentPart =
  | { type: "text"; role: "user" | "assistant"; text: string }
  | { type: "image"; mediaType: string; data: string }
  | { type: "tool_call"; id: string; name: string; arguments: unknown }
  | { type: "tool_result"; callId: string; text: string }
  | { type: "reasoning"; value: unknown };

/** Reasoning that has to come back with the next request as it was. */
export interface ReasoningSample {
  name: string;
  /** What `events` puts in front of the answer. */
  value: unknown;
  /** What the next request has to hold. */
  sent: unknown;
}

/** What a model under test is made with. */
export interface WireSettings extends Required<Pick<ModelSettings, "apiKey" | "retries">> {
  /** The server's origin, without a path. */
  origin: string;
  idleTimeoutMs?: number;
}

/** A protocol over HTTP with server-sent events, in its own words. */
export interface ModelWire {
  model(settings: WireSettings): Model;
  /** The events of a whole answer; texts and arguments in pieces of one character. A string is sent as it is. */
  events(answer: ContractAnswer): readonly unknown[];
  /** The same answer as one JSON value. */
  json(answer: ContractAnswer): unknown;
  /** Other ways in which servers say the same answer, by what is odd about them. */
  variants?(answer: ContractAnswer): Readonly<Record<string, readonly unknown[]>>;
  /** Whether an answer is complete with this event, whatever comes after it. */
  completes(event: unknown): boolean;
  fault(kind: FaultKind, message: string): WireFault;
  /** Real answers of servers to a conversation that is too long. */
  overflows: readonly Pick<WireFault, "status" | "body">[];
  reasoning?: readonly ReasoningSample[];
  /** Reads the body of a request. */
  sent(body: Readonly<Record<string, unknown>>): SentRequest;
  /** What the protocol has: a key or marks for the prompt cache. */
  caching?: readonly ("key" | "marks")[];
}

/** A model that gives these answers in order, and what has to go with it. */
export interface PlayedModel extends AsyncDisposable {
  model: Model;
}

interface NamedSubject {
  name: string;
  /** Every word for why an answer stopped, with what it means. */
  stops: readonly (readonly [word: string, reason: FinishReason])[];
}

/** A model behind HTTP: the whole contract applies. */
export interface WireSubject extends NamedSubject {
  wire: ModelWire;
}

/** A model without a wire (a recording, a local one): the cases about HTTP do not apply. */
export interface PlayedSubject extends NamedSubject {
  play(answers: readonly ContractAnswer[]): Promise<PlayedModel>;
}

/** The model that is held to the contract. */
export type ModelSubject = WireSubject | PlayedSubject;

/** One promise of a model; `run` rejects where it is not kept. */
export interface ContractCase {
  name: string;
  run: () => Promise<void>;
}
