// `pnpm bench budget [--out FILE]`: measures what bench/budget.json bounds, and ends with 1 where it is over. A ratio that
// is over is measured a second time: only what is over both times counts. Linux alone.
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { parseArgs } from "node:util";
import { startServer } from "../agent-run/start-server.ts";
import { type Cell, report, reportFile } from "../report.ts";
import { type Budget, excesses, type Figures } from "./budget.ts";
import { measureExact, measureRatios } from "./measure-all.ts";

const { values } = parseArgs({ options: { out: { type: "string" } } });
const budget = JSON.parse(readFileSync(new URL("../budget.json", import.meta.url), "utf8")) as Budget;
const scratch = mkdtempSync(path.join(tmpdir(), "toycoder-bench-"));
using server = await startServer();
const place = { server, scratch };

function allowed(kind: keyof Figures, name: string): Cell {
  const figure = budget[kind][name];
  return kind === "ratios" && figure !== undefined ? `${figure} + ${budget.noise * 100} %` : figure;
}

try {
  let measured = { ...(await measureExact(place)), ratios: await measureRatios(place) };
  if (excesses(budget, measured).some(({ kind }) => kind === "ratios")) {
    console.log("a ratio is over its budget: measuring once more\n");
    const again = await measureRatios(place);
    const lower = Object.entries(again).map(([name, ratio]) => [
      name,
      Math.min(ratio, measured.ratios[name] ?? ratio),
    ]);
    measured = { ...measured, ratios: Object.fromEntries(lower) };
  }
  const over = excesses(budget, measured);
  const names = new Set(over.map(({ kind, name }) => `${kind}.${name}`));
  const rows = (["counts", "bytes", "ratios"] as const).flatMap((kind) =>
    Object.entries(measured[kind]).map(([name, figure]) => [
      `${kind}.${name}`,
      figure,
      allowed(kind, name),
      names.has(`${kind}.${name}`) ? "OVER" : "ok",
    ]),
  );
  report(
    reportFile("budget", values.out),
    "The built command within its budget",
    [{ head: ["", "measured", "budget", ""], rows }],
    { measured, over },
  );
  for (const { message } of over) console.error(`\nbench/budget.json, ${message}`);
  if (over.length > 0) {
    console.error("\nbench/README.md says how the budget is changed.");
    process.exitCode = 1;
  }
} finally {
  rmSync(scratch, { recursive: true, force: true });
}
