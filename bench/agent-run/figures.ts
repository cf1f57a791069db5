import { type Cell, median } from "../report.ts";
import { ratioOf } from "./alternate.ts";
import type { Run } from "./run-once.ts";

type Figure = Exclude<keyof Run, "turnOf">;

/** What is told of an agent beside the floor. */
export const RATIOS = ["wall", "start", "turn", "cpu", "memoryMb"] as const;

export interface AgentFigures {
  name: string;
  rounds: number;
  /** Medians over the rounds. */
  run: Run;
  /** To the floor. */
  ratios?: Readonly<Record<(typeof RATIOS)[number], number>>;
}

/** An agent's rounds as one row, beside the floor's rounds where there are any. */
export function figuresOf(name: string, runs: readonly Run[], floor?: readonly Run[]): AgentFigures {
  const of = (key: Figure): number => median(runs.map((run) => run[key]));
  const tools = [...new Set(runs.flatMap(({ turnOf }) => Object.keys(turnOf)))];
  const turnOf = (tool: string): number => median(runs.flatMap(({ turnOf }) => turnOf[tool] ?? []));
  const ratio = (key: Figure): number =>
    ratioOf(
      runs.map((run) => run[key]),
      (floor ?? []).map((run) => run[key]),
    );
  return {
    name,
    rounds: runs.length,
    run: {
      wall: of("wall"),
      start: of("start"),
      turn: of("turn"),
      turnOf: Object.fromEntries(tools.map((tool) => [tool, turnOf(tool)])),
      lateTurn: of("lateTurn"),
      cpu: of("cpu"),
      memoryMb: of("memoryMb"),
      firstRequestBytes: of("firstRequestBytes"),
      sentBytes: of("sentBytes"),
    },
    ...(floor !== undefined && {
      ratios: {
        wall: ratio("wall"),
        start: ratio("start"),
        turn: ratio("turn"),
        cpu: ratio("cpu"),
        memoryMb: ratio("memoryMb"),
      },
    }),
  };
}

export const RUN_HEAD: readonly string[] = [
  "start → request, ms",
  "×",
  "wall, ms",
  "×",
  "CPU, ms",
  "×",
  "memory, MB",
  "×",
  "first request, B",
];

/** The cells beneath RUN_HEAD. */
export function runCells({ run, ratios }: AgentFigures): Cell[] {
  return [
    run.start,
    ratios?.start,
    run.wall,
    ratios?.wall,
    run.cpu,
    ratios?.cpu,
    run.memoryMb,
    ratios?.memoryMb,
    run.firstRequestBytes,
  ];
}
