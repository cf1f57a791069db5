// `pnpm bench shell [--calls N] [--out FILE]`: `true` through dispatch, with and without the sandbox, beside spawn.
import { mkdirSync, mkdtempSync, realpathSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { parseArgs } from "node:util";
import { quantile, report, reportFile } from "../report.ts";
import { contenders } from "./contenders.ts";

const { values } = parseArgs({
  options: { out: { type: "string" }, calls: { type: "string", default: "200" } },
});
const calls = Number(values.calls);

const folder = realpathSync(mkdtempSync(path.join(tmpdir(), "toycoder-bench-")));
try {
  const [small, big] = [path.join(folder, "small"), path.join(folder, "big")];
  for (const one of [small, big]) mkdirSync(one);
  const all = await contenders(small, big);
  const times = new Map(all.map(({ name }) => [name, [] as number[]]));
  const first = new Map<string, number>();
  // In turn, so that what slows the machine down is shared; the first call of each is told apart.
  for (let call = -1; call < calls; call++) {
    for (const { name, run } of all) {
      const started = performance.now();
      await run();
      const elapsed = performance.now() - started;
      if (call === -1) first.set(name, elapsed);
      else times.get(name)?.push(elapsed);
    }
  }
  const rows = [...times].map(([name, each]) => ({
    name,
    totalMs: each.reduce((sum, one) => sum + one, 0),
    medianMs: quantile(each, 0.5),
    p95Ms: quantile(each, 0.95),
    firstMs: first.get(name) ?? 0,
  }));
  report(
    reportFile("shell", values.out),
    `${calls} × \`true\`, in turn`,
    [
      {
        head: ["", "total, s", "median, ms", "95 %, ms", "first call, ms"],
        rows: rows.map(({ name, totalMs, medianMs, p95Ms, firstMs }) => [
          name,
          totalMs / 1000,
          medianMs,
          p95Ms,
          firstMs,
        ]),
      },
    ],
    { calls, rows },
  );
} finally {
  rmSync(folder, { recursive: true, force: true });
}
