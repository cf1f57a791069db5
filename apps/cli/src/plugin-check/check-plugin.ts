import { type Finding, importFindings } from "@toycoder/testing";
import { BUILTINS } from "../builtins.ts";
import { fileFindings } from "./file-findings.ts";
import type { InspectedTool, Inspection, InspectionTask } from "./inspection.ts";
import { manifestFindings } from "./manifest-findings.ts";
import { entryUrl, type PluginTarget, pluginTarget } from "./plugin-target.ts";
import { probeImports, probePlugin } from "./run-probe.ts";

/** What `toycoder plugin check --json` prints. docs/writing-plugins.md describes it. */
export interface CheckReport {
  schemaVersion: 1;
  package: { name: string; version: string; folder: string } | null;
  plugin: { name: string; version: string } | null;
  tools: InspectedTool[];
  providers: string[];
  findings: Finding[];
  errors: number;
  warnings: number;
}

export interface CheckOptions {
  cwd: string;
  env: NodeJS.ProcessEnv;
  signal: AbortSignal;
  /** Options to set the plugin up with. */
  options: Readonly<Record<string, unknown>>;
  /** This ToyCoder's version. */
  version: string;
}

/** Checks a plugin: its package, its import, its set-up, its tools. What it finds wrong is in the report. */
export async function checkPlugin(given: string, options: CheckOptions): Promise<CheckReport> {
  if (Object.hasOwn(BUILTINS, given)) {
    const task = { module: given, isPackage: true, options: options.options, version: undefined };
    return reportOf(undefined, [], await probePlugin(task, options.signal));
  }
  const target = pluginTarget(given, options.cwd);
  const { manifest, entry } = target;
  const findings = manifestFindings(target, options.version);
  const files = fileFindings(target, options.env);
  if (entry === undefined || findings.some(({ code }) => code === "entry_missing"))
    return reportOf(target, [...findings, ...(await files)], undefined);
  const task: Omit<InspectionTask, "folder" | "mode"> = {
    module: entryUrl(entry),
    isPackage: manifest !== undefined,
    options: options.options,
    version: typeof manifest?.["version"] === "string" ? manifest["version"] : undefined,
  };
  const imported = importFindings(await probeImports(task, options.signal), entry.declared);
  const isLoadable = !imported.some(({ code }) => code === "import_failed");
  const inspection = isLoadable ? await probePlugin(task, options.signal) : undefined;
  const isLoud = imported.some(({ code }) => code === "import_prints");
  const told = inspection && {
    ...inspection,
    findings: inspection.findings.filter(({ code }) => !(isLoud && code === "prints")),
  };
  return reportOf(target, [...findings, ...(await files), ...imported], told);
}

function reportOf(
  target: PluginTarget | undefined,
  found: readonly Finding[],
  inspection: Inspection | undefined,
): CheckReport {
  const findings = [...found, ...(inspection?.findings ?? [])];
  const count = (wanted: Finding["severity"]): number =>
    findings.filter(({ severity }) => severity === wanted).length;
  const { manifest, folder = "" } = target ?? {};
  return {
    schemaVersion: 1,
    package:
      manifest === undefined
        ? null
        : { name: String(manifest["name"]), version: String(manifest["version"]), folder },
    plugin: inspection?.plugin ?? null,
    tools: inspection?.tools ?? [],
    providers: inspection?.providers ?? [],
    findings,
    errors: count("error"),
    warnings: count("warning"),
  };
}
