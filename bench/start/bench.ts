// `pnpm bench start [--rounds N] [--out FILE]`: from nothing to the first request, beside the bare loop. Linux alone.
import { mkdirSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { parseArgs } from "node:util";
import { environment, floor, TOYCODER, toycoder } from "../agent-run/agents.ts";
import { alternate } from "../agent-run/alternate.ts";
import { figuresOf, RUN_HEAD, runCells } from "../agent-run/figures.ts";
import { bundleBytes, loadedByHello, loadedByVersion } from "../agent-run/loaded-modules.ts";
import { measure } from "../agent-run/measure.ts";
import { type Run, runOnce } from "../agent-run/run-once.ts";
import { hello } from "../agent-run/scenario.ts";
import { startServer } from "../agent-run/start-server.ts";
import { median, report, reportFile } from "../report.ts";

const { values } = parseArgs({
  options: { out: { type: "string" }, rounds: { type: "string", default: "11" } },
});
const rounds = Number(values.rounds);
const scratch = mkdtempSync(path.join(tmpdir(), "toycoder-bench-"));
using server = await startServer();
const place = { server, scratch };
const home = path.join(scratch, "home");
mkdirSync(path.join(home, "tmp"), { recursive: true });
const env = environment(home);

/** A fresh home each time: no compiled code is kept from the run before. */
let homes = 0;
const cold = (): string => `cold-${homes++}`;

try {
  const apis = [toycoder("chat"), toycoder("responses"), toycoder("messages")];
  const runs = await alternate<Run>(rounds + 1, [
    { name: "floor", run: () => runOnce(floor, hello, place) },
    ...apis.map((agent) => ({ name: agent.name, run: () => runOnce(agent, hello, place) })),
    {
      name: "toycoder, chat, cold",
      run: () => runOnce(toycoder("chat"), hello, { ...place, home: cold() }),
    },
  ]);
  // The first round fills the caches and isn't counted.
  const warmed = [...runs].map(([name, all]) => [name, all.slice(1)] as const);
  const [, bare = []] = warmed[0] ?? [];
  const rows = warmed.map(([name, all]) => figuresOf(name, all, name === "floor" ? undefined : bare));

  const processes = await alternate(rounds + 1, [
    { name: "node, an empty program", run: () => measure(["--eval", "0"], scratch, env) },
    { name: "toycoder --version", run: () => measure([TOYCODER, "--version"], scratch, env) },
  ]);
  const others = [...processes].map(([name, [, ...all]]) => ({
    name,
    wall: median(all.map(({ started, ended }) => ended - started)),
    cpu: median(all.map(({ cpuMs }) => cpuMs)),
    memoryMb: median(all.map(({ memory }) => memory / 1e6)),
  }));
  const bundle = bundleBytes();
  const loaded = [
    { name: "toycoder --version", ...(await loadedByVersion(scratch, env)) },
    { name: "hello, chat", ...(await loadedByHello(place)) },
  ];
  report(
    reportFile("start", values.out),
    `"Say hello" by the built command beside bench/floor, medians of ${rounds} rounds in turn`,
    [
      { head: ["hello", ...RUN_HEAD], rows: rows.map((row) => [row.name, ...runCells(row)]) },
      {
        head: ["process", "wall, ms", "CPU, ms", "memory, MB"],
        rows: others.map(({ name, wall, cpu, memoryMb }) => [name, wall, cpu, memoryMb]),
      },
      {
        head: ["what is loaded", "files", "bytes", "modules of Node"],
        rows: [
          ...loaded.map(({ name, files, bytes, builtins }) => [name, files, bytes, builtins]),
          ["the whole bundle", undefined, bundle, undefined],
        ],
      },
    ],
    { rounds, hello: rows, processes: others, loaded, bundleBytes: bundle },
  );
} finally {
  rmSync(scratch, { recursive: true, force: true });
}
