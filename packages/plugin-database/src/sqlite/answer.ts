import { describeTables } from "./describe-tables.ts";
import { failureOf } from "./failure.ts";
import { readDatabase } from "./read-database.ts";
import type { Question, Response } from "./request.ts";
import { runQuery } from "./run-query.ts";

/** Does what is asked, in this process. Never throws. */
export function answer(question: Question): Response {
  try {
    const value = readDatabase(question.file, (db) =>
      "query" in question ? runQuery(db, question.query) : describeTables(db, question.describe),
    );
    return { ok: true, value };
  } catch (error) {
    return { ok: false, error: failureOf(error) };
  }
}
