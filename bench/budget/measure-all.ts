import { mkdirSync } from "node:fs";
import path from "node:path";
import { environment, floor, toycoder } from "../agent-run/agents.ts";
import { alternate } from "../agent-run/alternate.ts";
import { figuresOf } from "../agent-run/figures.ts";
import { bundleBytes, loadedByHello, loadedByVersion } from "../agent-run/loaded-modules.ts";
import { type Place, type Run, runOnce } from "../agent-run/run-once.ts";
import { hello, type Scenario, workFor } from "../agent-run/scenario.ts";
import type { Figures } from "./budget.ts";

/** What is the same each time: what is loaded at start, what is sent first, how large the bundle is. */
export async function measureExact(place: Place): Promise<Pick<Figures, "counts" | "bytes">> {
  const home = path.join(place.scratch, "home");
  mkdirSync(path.join(home, "tmp"), { recursive: true });
  const version = await loadedByVersion(place.scratch, environment(home));
  const start = await loadedByHello(place);
  return {
    counts: {
      filesLoadedByVersion: version.files,
      filesLoadedAtStart: start.files,
      nodeModulesLoadedAtStart: start.builtins,
    },
    bytes: {
      bundle: bundleBytes(),
      loadedAtStart: start.bytes,
      firstRequest: start.firstRequestBytes,
    },
  };
}

/** The ratios to the bare loop, which depend on how busy the machine is. */
export async function measureRatios(place: Place): Promise<Figures["ratios"]> {
  const ratiosOf = async (scenario: Scenario, rounds: number) => {
    const runs = await alternate<Run>(
      rounds,
      [floor, toycoder("chat")].map((agent) => ({
        name: agent.name,
        run: () => runOnce(agent, scenario, place),
      })),
    );
    const [bare = [], ours = []] = runs.values();
    return figuresOf("ours", ours, bare).ratios;
  };
  // Fills the caches.
  await ratiosOf(hello, 1);
  const start = await ratiosOf(hello, 9);
  const work = await ratiosOf(workFor(40), 5);
  return {
    start: start?.start ?? Number.NaN,
    helloWall: start?.wall ?? Number.NaN,
    helloCpu: start?.cpu ?? Number.NaN,
    turn: work?.turn ?? Number.NaN,
    workWall: work?.wall ?? Number.NaN,
    workCpu: work?.cpu ?? Number.NaN,
    workMemory: work?.memoryMb ?? Number.NaN,
  };
}
