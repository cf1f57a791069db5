/** What bench/budget.json holds, and what is measured to be compared with it. */
export interface Figures {
  /** Exact: a change of one is a decision. */
  counts: Readonly<Record<string, number>>;
  /** At most. */
  bytes: Readonly<Record<string, number>>;
  /** To the bare loop, at most, and a share more for noise. */
  ratios: Readonly<Record<string, number>>;
}

export interface Budget extends Figures {
  /** The share by which a ratio may be over before it counts: 0.2 is a fifth. */
  noise: number;
}

/** A figure that doesn't keep to the budget. */
export interface Excess {
  kind: keyof Figures;
  name: string;
  /** What is wrong, and what to do about it. */
  message: string;
}

const KINDS = ["counts", "bytes", "ratios"] as const;

/** Everything that is over the budget, missing from it, or not measured any more. */
export function excesses(budget: Budget, measured: Figures): Excess[] {
  return KINDS.flatMap((kind) => {
    const names = new Set([...Object.keys(budget[kind]), ...Object.keys(measured[kind])]);
    return [...names].flatMap((name) => {
      const message = problemOf(kind, budget[kind][name], measured[kind][name], budget.noise);
      return message === undefined ? [] : [{ kind, name, message: `${kind}.${name}: ${message}` }];
    });
  });
}

function problemOf(
  kind: keyof Figures,
  allowed: number | undefined,
  figure: number | undefined,
  noise: number,
): string | undefined {
  if (figure === undefined || Number.isNaN(figure)) return "was not measured; take it out of the budget";
  if (allowed === undefined) return `is ${shown(figure)} and has no budget; give it one`;
  const by = `${shown(figure)}, and the budget is ${shown(allowed)}`;
  if (kind === "counts") return countProblem(figure - allowed, by);
  if (figure <= allowed * (kind === "ratios" ? 1 + noise : 1)) return undefined;
  const percent = `${((figure / allowed - 1) * 100).toFixed(1)} % over`;
  if (kind === "bytes") return `${by}: ${figure - allowed} B more, ${percent}; make it smaller, or raise it`;
  return `${by}: ${percent}, with ${noise * 100} % for noise; see \`pnpm bench start\` and \`turns\``;
}

function countProblem(more: number, by: string): string | undefined {
  if (more === 0) return undefined;
  if (more > 0) return `${by}: ${more} more; load it when it is first needed, or raise the budget`;
  return `${by}: ${-more} fewer, well done; lower the budget`;
}

const shown = (figure: number): string => String(Math.round(figure * 100) / 100);
