// `pnpm bench dispatch [--out FILE]`: calls per second from a model's JSON text to an executed, empty tool with three
// parameters, beside other libraries.
import { parseArgs } from "node:util";
import { median, report, reportFile } from "../report.ts";
import { type Contender, contenders } from "./contenders.ts";

const { values } = parseArgs({ options: { out: { type: "string" } } });
const ROUNDS = 9;
const ROUND_MS = 300;
const TEXT = '{"path":"src/a.ts","line":12,"all":true}';

async function callsPerSecond({ call }: Contender): Promise<number> {
  let calls = 0;
  const started = performance.now();
  let elapsed = 0;
  while (elapsed < ROUND_MS) {
    for (let batch = 0; batch < 50; batch++) await call(TEXT);
    calls += 50;
    elapsed = performance.now() - started;
  }
  return (calls * 1000) / elapsed;
}

const all = await contenders();
const figures = new Map(all.map(({ name }) => [name, [] as number[]]));
for (const contender of all) await callsPerSecond(contender);
for (let round = 0; round < ROUNDS; round++) {
  for (const contender of all) figures.get(contender.name)?.push(await callsPerSecond(contender));
}

const rows = [...figures].map(([name, values]) => ({
  name,
  median: Math.round(median(values)),
  min: Math.round(Math.min(...values)),
  max: Math.round(Math.max(...values)),
}));
report(
  reportFile("dispatch", values.out),
  `${ROUNDS} rounds of ${ROUND_MS} ms each, in turn`,
  [
    {
      head: ["from a JSON text to a run tool", "calls/s, median", "min", "max"],
      rows: rows.map(({ name, median, min, max }) => [name, median, min, max]),
    },
  ],
  { rounds: ROUNDS, rows },
);
