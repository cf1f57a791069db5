import type { Limits } from "@toycoder/agent";
import type { Flags, ParsedFlags } from "../flags.ts";
import type { SetUp } from "../set-up.ts";

export const LIMIT_FLAGS: Flags = {
  "max-turns": { value: "N", count: true, help: "the most turns (default: the config's, else 50)" },
  "max-cost": { value: "USD", amount: true, help: "the most that the run may cost" },
  "max-minutes": { value: "N", amount: true, help: "the most minutes" },
};

/** The limits of a run. A flag goes before the config. */
export function limitsOf({ loaded }: SetUp, flags: ParsedFlags): Limits {
  const [turns, costUsd, minutes] = ["max-turns", "max-cost", "max-minutes"].map((name) => flags.count(name));
  const given = { ...(turns && { turns }), ...(costUsd && { costUsd }), ...(minutes && { minutes }) };
  return { ...loaded.config.limits, ...given };
}
