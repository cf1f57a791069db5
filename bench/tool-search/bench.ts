// `BFCL_DIR=… pnpm bench tool-search [--out FILE]`: how often, and how fast, a search finds the tools of a request.
import { mkdirSync, writeFileSync } from "node:fs";
import { dirname } from "node:path";
import process from "node:process";
import { fileURLToPath } from "node:url";
import { parseArgs } from "node:util";
import { CONTENDERS } from "./contenders.ts";
import { measure, type Measured } from "./measure.ts";
import { readData } from "./read-data.ts";

const { values } = parseArgs({ options: { out: { type: "string" } } });
const out = values.out ?? fileURLToPath(new URL("../.reports/tool-search.json", import.meta.url));
const { tools, requests } = readData();
const results = CONTENDERS.map((contender) => measure(contender, tools, requests));

console.log(`${tools.length} tools, ${requests.length} requests, Node ${process.version}\n`);
console.log(toTable(results));
mkdirSync(dirname(out), { recursive: true });
const report = { node: process.version, tools: tools.length, requests: requests.length, results };
writeFileSync(out, `${JSON.stringify(report, null, 2)}\n`);
console.log(`\nWritten to ${out}`);

function toTable(rows: readonly Measured[]): string {
  const lines = rows.map(({ title, at1, at5, indexMs, queryMs, slowQueryMs }) => [
    title,
    at1.toFixed(3),
    at5.toFixed(3),
    indexMs.toFixed(1),
    queryMs.toFixed(2),
    slowQueryMs.toFixed(2),
  ]);
  const head = ["", "recall@1", "recall@5", "index, ms", "query, ms (median)", "query, ms (p99)"];
  const rule = head.map((_, column) => (column === 0 ? "---" : "---:"));
  return [head, rule, ...lines].map((cells) => `| ${cells.join(" | ")} |`).join("\n");
}
