import { mkdirSync, rmSync } from "node:fs";
import path from "node:path";
import { median } from "../report.ts";
import { type Agent, environment } from "./agents.ts";
import { measure } from "./measure.ts";
import type { Played } from "./model-server.ts";
import { resultsOf } from "./results-of.ts";
import type { Scenario } from "./scenario.ts";
import type { ScriptedServer } from "./start-server.ts";

/** The figures of one run, times in ms. */
export interface Run {
  wall: number;
  /** From the start of the process to its first request. */
  start: number;
  /**
   * The agent's own time of a turn, from the end of an answer that calls a tool to the next request: the mean of the
   * tools' medians. The tool's work is in it; the floor does the same work.
   */
  turn: number;
  /** The medians. */
  turnOf: Readonly<Record<string, number>>;
  /** The same as `turn` over the last tenth of the turns: where it is higher, turns become dearer as they add up. */
  lateTurn: number;
  cpu: number;
  /** Most memory of the process and what it starts, in MB. */
  memoryMb: number;
  /** As if the workspace were /workspace: the same on every machine. */
  firstRequestBytes: number;
  sentBytes: number;
}

export interface Place {
  server: ScriptedServer;
  /** The folder for workspaces and homes. */
  scratch: string;
  /** The agent's home; a fresh name is a fresh home. */
  home?: string;
  /** A workspace that is made already, and stays. */
  workspace?: string;
}

/** So many turns have each tool of the work once. */
const MIN_LATE = 4;
const TASK = "Carry out the steps for this repository one by one with your tools, then stop.";

/** Runs a scenario and checks that all of it was done; throws where not. */
export async function runOnce(agent: Agent, scenario: Scenario, place: Place): Promise<Run> {
  const { server, scratch } = place;
  const home = path.join(scratch, place.home ?? `home-${agent.name.replaceAll(/\W+/g, "-")}`);
  mkdirSync(path.join(home, "tmp"), { recursive: true });
  const root = place.workspace ?? path.join(scratch, "workspace");
  if (place.workspace === undefined) {
    rmSync(root, { recursive: true, force: true });
    mkdirSync(root);
    scenario.fill(root);
  }
  await server.play({ api: agent.api, answers: scenario.answers });
  const { args, env } = agent.command(TASK, server.url);
  const measured = await measure(args, root, { ...environment(home), ...env });
  const played = await server.collect();
  checkResults(agent, scenario, played);
  scenario.check(root);

  const { requests, firstBody } = played;
  const turns = requests.slice(1).map(({ at }, turn) => ({
    tool: scenario.expected[turn]?.tool ?? "",
    ms: at - (requests[turn]?.end ?? Number.NaN),
  }));
  const turnOf = mediansByTool(turns);
  return {
    wall: measured.ended - measured.started,
    start: (requests[0]?.at ?? Number.NaN) - measured.started,
    turn: mean(Object.values(turnOf)),
    turnOf,
    lateTurn: mean(Object.values(mediansByTool(turns.slice(-Math.max(MIN_LATE, turns.length / 10))))),
    cpu: measured.cpuMs,
    memoryMb: measured.memory / 1e6,
    firstRequestBytes: Buffer.byteLength(firstBody.replaceAll(root, "/workspace")),
    sentBytes: requests.reduce((sum, { bytes }) => sum + bytes, 0),
  };
}

function mediansByTool(turns: readonly { tool: string; ms: number }[]): Record<string, number> {
  const byTool = Map.groupBy(turns, ({ tool }) => tool);
  return Object.fromEntries([...byTool].map(([tool, each]) => [tool, median(each.map(({ ms }) => ms))]));
}

const mean = (values: readonly number[]): number =>
  values.reduce((sum, value) => sum + value, 0) / values.length;

function checkResults(agent: Agent, { name, answers, expected }: Scenario, played: Played): void {
  const { requests, lastBody } = played;
  const told = `${agent.name}, ${name}`;
  if (requests.length !== answers.length)
    throw new Error(`${told}: ${requests.length} requests for ${answers.length} answers`);
  const results = resultsOf(lastBody);
  for (const [turn, { tool, holds }] of expected.entries()) {
    const result = results[turn];
    if (result?.includes(holds) !== true)
      throw new Error(`${told}: ${tool} in turn ${turn + 1} gave ${JSON.stringify(result?.slice(0, 300))}`);
  }
}
