import { readFileSync, rmSync } from "node:fs";
import path from "node:path";
import { DatabaseSync } from "node:sqlite";

/** Makes data/sales.db anew from data/sales.sql: git holds the text alone. */
const file = path.join(import.meta.dirname, "data/sales.db");
rmSync(file, { force: true });
const database = new DatabaseSync(file);
database.exec(readFileSync(path.join(import.meta.dirname, "data/sales.sql"), "utf8"));
database.close();
