import { createHash } from "node:crypto";
import { readdirSync, readFileSync } from "node:fs";
import { DatabaseSync } from "node:sqlite";
import { type TempWorkspace, tempWorkspace } from "@toycoder/testing";
import { answer } from "../sqlite/answer.ts";
import type { Response } from "../sqlite/request.ts";

/** A workspace with the database of the fixture, `shop.db`. `first`: what is run before it. */
export function sqliteWorkspace(first = ""): TempWorkspace {
  const workspace = tempWorkspace();
  const db = new DatabaseSync(workspace.path("shop.db"));
  db.exec(`PRAGMA synchronous = OFF; ${first}`);
  db.exec(readFileSync(new URL("../../fixtures/sqlite.sql", import.meta.url), "utf8"));
  db.close();
  return workspace;
}

/** The names and contents of a folder's files. */
export function folderState(folder: string): string[] {
  return readdirSync(folder)
    .toSorted()
    .map(
      (name) =>
        `${name} ${createHash("sha256")
          .update(readFileSync(`${folder}/${name}`))
          .digest("hex")}`,
    );
}

/** One statement, in this process. */
export function ask(
  workspace: TempWorkspace,
  sql: string,
  params: (string | number | boolean | null)[] = [],
  room: { maxRows?: number; maxBytes?: number } = {},
): Response {
  return answer({
    file: workspace.path("shop.db"),
    query: { sql, params, maxRows: 100, maxBytes: 24_000, ...room },
  });
}
