// `pnpm bench shell [--calls N] [--out FILE]`: `true` through dispatch, with and without the sandbox, beside spawn.
import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from "node:fs";
import { cpus, tmpdir } from "node:os";
import path from "node:path";
import process from "node:process";
import { fileURLToPath } from "node:url";
import { parseArgs } from "node:util";
import { contenders } from "./contenders.ts";

const { values } = parseArgs({
  options: { out: { type: "string" }, calls: { type: "string", default: "200" } },
});
const out = values.out ?? fileURLToPath(new URL("../.reports/shell.json", import.meta.url));
const calls = Number(values.calls);

const at = (times: readonly number[], share: number): number =>
  times.toSorted((a, b) => a - b)[Math.min(times.length - 1, Math.floor(times.length * share))] ?? 0;

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
    medianMs: at(each, 0.5),
    p95Ms: at(each, 0.95),
    firstMs: first.get(name) ?? 0,
  }));
  const cpu = cpus()[0]?.model.trim() ?? "unknown";
  const machine = `Node ${process.versions.node}, ${process.platform} ${process.arch}, ${cpus().length} × ${cpu}`;
  console.log(`${calls} × \`true\`, in turn; ${new Date().toISOString().slice(0, 10)}, ${machine}\n`);
  console.log("| | total, s | median, ms | 95 %, ms | first call, ms |");
  console.log("| --- | ---: | ---: | ---: | ---: |");
  for (const { name, totalMs, medianMs, p95Ms, firstMs } of rows) {
    const [total, ...others] = [
      (totalMs / 1000).toFixed(2),
      ...[medianMs, p95Ms, firstMs].map((one) => one.toFixed(1)),
    ];
    console.log(`| ${name} | ${total} | ${others.join(" | ")} |`);
  }
  mkdirSync(path.dirname(out), { recursive: true });
  writeFileSync(out, `${JSON.stringify({ calls, machine, at: new Date().toISOString(), rows }, null, 2)}\n`);
} finally {
  rmSync(folder, { recursive: true, force: true });
}
