import { type ImportReport, type ProbedImport, runProbe } from "@toycoder/testing";
import type { Inspection, InspectionTask } from "./inspection.ts";

const LIMIT_MS = 60_000;

type Asked = Omit<InspectionTask, "folder" | "mode">;

const program = (): URL =>
  new URL(`./plugin-probe.${import.meta.url.endsWith(".ts") ? "ts" : "js"}`, import.meta.url);

/** Imports a module in a child process and tells what that did. */
export async function probeImports(task: Asked, signal: AbortSignal): Promise<ProbedImport> {
  const options = { signal, limitMs: LIMIT_MS };
  const probed = await runProbe<ImportReport>(program(), { ...task, mode: "import" }, options);
  if ("report" in probed) return { ...probed.report, output: probed.output };
  return { failed: probed.failed, effects: [], changed: [], handles: [], output: probed.output };
}

/** Sets a plugin up in a child process, looks at its tools and calls them. */
export async function probePlugin(task: Asked, signal: AbortSignal): Promise<Inspection> {
  const options = { signal, limitMs: LIMIT_MS };
  const probed = await runProbe<Inspection>(program(), { ...task, mode: "inspect" }, options);
  if ("failed" in probed) {
    const said = probed.output.trim().split("\n").slice(-3).join(" ").slice(0, 300);
    const message = `the process that it was checked in came to no end: ${probed.failed}${said === "" ? "" : `; it said: ${said}`}`;
    const fix = "let no call of a tool end the process or keep it busy for ever";
    return {
      plugin: null,
      tools: [],
      providers: [],
      findings: [{ severity: "error", code: "process_ended", place: "plugin", message, fix }],
    };
  }
  const { report, output } = probed;
  if (output.trim() === "") return report;
  const message = `it prints ${JSON.stringify(output.trim().slice(0, 60))}`;
  const fix =
    "take the output out: stdout belongs to the run's answer; ctx.progress(…) tells whoever watches";
  const finding = { severity: "warning", code: "prints", place: "plugin", message, fix } as const;
  return { ...report, findings: [...report.findings, finding] };
}
