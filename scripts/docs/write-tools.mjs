// Part of `npm run api`: makes the tables of docs/tools.md anew.
import { readFileSync, writeFileSync } from "node:fs";
import path from "node:path";
import { root } from "./documents.mjs";
import { withToolTables } from "./tool-tables.mjs";

const page = path.join(root, "docs/tools.md");
writeFileSync(page, await withToolTables(readFileSync(page, "utf8")));
