import type { Description } from "../description.ts";
import type { Answer, CallScope, Engine } from "../engine.ts";
import type { SqliteOptions } from "../connection-options.ts";
import { askChild } from "./ask-child.ts";

/** A SQLite file of the workspace. */
export function sqliteEngine({ path }: SqliteOptions): Engine {
  const fileOf = ({ resolve }: CallScope): string => resolve(path).real;
  return {
    type: "sqlite",
    label: `SQLite, ${path}`,
    effects: () => [{ kind: "read", path }],
    query: async (query, scope) => (await askChild({ file: fileOf(scope), query }, scope)) as Answer,
    describe: async (describe, scope) =>
      (await askChild({ file: fileOf(scope), describe }, scope)) as Omit<Description, "connection">,
  };
}
