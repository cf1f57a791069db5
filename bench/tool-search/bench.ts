// `BFCL_DIR=… pnpm bench tool-search [--out FILE]`: how often, and how fast, a search finds the tools of a request.
import { parseArgs } from "node:util";
import { report, reportFile } from "../report.ts";
import { CONTENDERS } from "./contenders.ts";
import { measure } from "./measure.ts";
import { readData } from "./read-data.ts";

const { values } = parseArgs({ options: { out: { type: "string" } } });
const { tools, requests } = readData();
const results = CONTENDERS.map((contender) => measure(contender, tools, requests));
report(
  reportFile("tool-search", values.out),
  `${tools.length} tools, ${requests.length} requests`,
  [
    {
      head: ["", "recall@1", "recall@5", "index, ms", "query, ms (median)", "query, ms (p99)"],
      rows: results.map(({ title, at1, at5, indexMs, queryMs, slowQueryMs }) => [
        title,
        at1.toFixed(3),
        at5.toFixed(3),
        indexMs,
        queryMs,
        slowQueryMs,
      ]),
    },
  ],
  { tools: tools.length, requests: requests.length, results },
);
