import { DatabaseSync } from "node:sqlite";
import type { Tool } from "@toycoder/core";
import { databasePlugin } from "@toycoder/plugin-database";
import { tempWorkspace, type TempWorkspace } from "@toycoder/testing";

/** A workspace with a real SQLite database, shop.db. */
export function shopWorkspace(): TempWorkspace {
  const workspace = tempWorkspace();
  const database = new DatabaseSync(workspace.path("shop.db"));
  database.exec(`
    create table orders (id integer primary key, customer text, total real, comment text, scan blob);
    insert into orders (customer, total, comment, scan) values
      ('Ada', 12.5, 'two|pipes <b>and</b>' || char(10) || 'lines', null),
      ('Bob', 7, '=1+1', x'010203'),
      ('Ada', 30.25, null, null);
  `);
  database.close();
  return workspace;
}

/** query_database of @toycoder/plugin-database, on shop.db. */
export async function queryDatabase(root: string): Promise<Tool> {
  const plugin = databasePlugin({ connections: { shop: { type: "sqlite", path: "shop.db" } } });
  const { tools } = await plugin.setup({ root, secretVariables: [] });
  const tool = tools.find(({ name }) => name === "query_database");
  if (tool === undefined) throw new Error("the plugin brings no query_database");
  return tool;
}
