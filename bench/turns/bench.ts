// `pnpm bench turns [--api chat|responses|messages] [--growth [turns|tools|tree|file]] [--rounds N] [--out FILE]`: what a
// turn costs, beside the bare loop; with --growth, what it costs where there is more of something. Linux alone.
import { mkdirSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { parseArgs } from "node:util";
import { type Agent, floor, toycoder } from "../agent-run/agents.ts";
import { alternate } from "../agent-run/alternate.ts";
import { type AgentFigures, figuresOf, RUN_HEAD, runCells } from "../agent-run/figures.ts";
import type { Api } from "../agent-run/model-server.ts";
import { type Run, runOnce } from "../agent-run/run-once.ts";
import { hello, workFor } from "../agent-run/scenario.ts";
import { startServer } from "../agent-run/start-server.ts";
import { report, reportFile, type Table } from "../report.ts";
import { type Case, GROWTHS } from "./growth.ts";

const { values, positionals } = parseArgs({
  options: {
    out: { type: "string" },
    rounds: { type: "string" },
    api: { type: "string" },
    growth: { type: "boolean", default: false },
  },
  allowPositionals: true,
});
const APIS: readonly Api[] = ["chat", "responses", "messages"];
const apis = APIS.filter((api) => values.api === undefined || api === values.api);
const unknown = positionals.filter((name) => !Object.hasOwn(GROWTHS, name));
if (apis.length === 0 || unknown.length > 0) {
  const known = `--api is one of ${APIS.join(", ")}; --growth takes ${Object.keys(GROWTHS).join(", ")}`;
  throw new Error(`${unknown[0] ?? `--api ${values.api}`} is not known: ${known}`);
}

const scratch = mkdtempSync(path.join(tmpdir(), "toycoder-bench-"));
using server = await startServer();
const place = { server, scratch };

async function figuresFor(one: Case, agents: readonly Agent[]): Promise<AgentFigures[]> {
  const { scenario, besideFloor, kept } = one;
  const workspace = kept === true ? path.join(scratch, "kept") : undefined;
  if (workspace !== undefined) {
    rmSync(workspace, { recursive: true, force: true });
    mkdirSync(workspace);
    scenario.fill(workspace);
  }
  const at = workspace === undefined ? place : { ...place, workspace };
  const contenders = [...(besideFloor ? [floor] : []), ...agents];
  const runs = await alternate<Run>(
    Number(values.rounds ?? one.rounds),
    contenders.map((agent) => ({ name: agent.name, run: () => runOnce(agent, scenario, at) })),
  );
  return contenders.map(({ name }) =>
    figuresOf(
      `${scenario.name}: ${name}`,
      runs.get(name) ?? [],
      name === "floor" ? undefined : runs.get("floor"),
    ),
  );
}

const TOOLS = ["read_file", "edit_file", "grep_search", "run_command"];

const tableOf = (rows: readonly AgentFigures[]): Table[] => [
  { head: ["", ...RUN_HEAD], rows: rows.map((row) => [row.name, ...runCells(row)]) },
  {
    head: ["own time of a turn, ms", "mean", "×", "in the last tenth", ...TOOLS, "sent in all, KB"],
    rows: rows.map(({ name, run, ratios }) => [
      name,
      run.turn,
      ratios?.turn,
      run.lateTurn,
      ...TOOLS.map((tool) => run.turnOf[tool]),
      run.sentBytes / 1000,
    ]),
  },
];

const plain = (): Case[] =>
  [10, 100].map((turns) => ({ scenario: workFor(turns), rounds: turns > 10 ? 3 : 7, besideFloor: true }));

try {
  const agents = apis.map((api) => toycoder(api));
  // Fills the caches.
  for (const agent of [floor, ...agents]) await runOnce(agent, hello, place);
  const chosen = positionals.length > 0 ? positionals : Object.keys(GROWTHS);
  const growths = chosen.flatMap((name) => GROWTHS[name]?.() ?? []);
  const rows: AgentFigures[] = [];
  for (const one of values.growth ? growths : plain())
    // How cost grows is the tools' and the loop's part: one API shows it.
    rows.push(...(await figuresFor(one, values.growth ? agents.slice(0, 1) : agents)));
  report(
    reportFile(values.growth ? "growth" : "turns", values.out),
    "The built command beside bench/floor, medians of the rounds in turn",
    tableOf(rows),
    { rows },
  );
} finally {
  rmSync(scratch, { recursive: true, force: true });
}
