// Writes what is generated from the table of the config's keys: schemas/config.schema.json, and the table in
// docs/config.md. `npm run schema`, after a change in src/*-shape.ts; a test fails where they are out of step.
import { readFileSync, writeFileSync } from "node:fs";
import { configSchema } from "../src/config-schema.ts";
import { keyTable } from "../src/key-table.ts";

const schema = new URL("../schemas/config.schema.json", import.meta.url);
writeFileSync(schema, `${JSON.stringify(configSchema(), null, 2)}\n`);

const docs = new URL("../../../docs/config.md", import.meta.url);
const text = readFileSync(docs, "utf8");
const replaced = text.replace(
  /(<!-- keys -->\n\n)[^]*?(\n\n<!-- \/keys -->)/,
  (_, start: string, end: string) => start + keyTable() + end,
);
writeFileSync(docs, replaced);
