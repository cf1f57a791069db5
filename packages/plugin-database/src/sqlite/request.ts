import type { Answer, DescribeRequest, Query } from "../engine.ts";
import type { Description } from "../description.ts";
import type { FailureInfo } from "./failure.ts";

/** What can be asked about a database file. */
export type Question = { file: string; query: Query } | { file: string; describe: DescribeRequest };

/** What the process that reads a database gets, as one JSON text on its stdin. */
export interface Request {
  question: Question;
  /** After so many milliseconds it ends by itself, should nobody stop it. */
  lifeMs: number;
}

/** What it answers, as one JSON text on its stdout. */
export type Response =
  | { ok: true; value: Answer | Omit<Description, "connection"> }
  | { ok: false; error: FailureInfo };
