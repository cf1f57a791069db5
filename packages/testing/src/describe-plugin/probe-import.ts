import { runProbe } from "./run-probe.ts";
import type { ImportReport } from "./watch-import.ts";

/** What came of setting a plugin up without a network. */
export interface SetupReport {
  /** The message of what it threw. */
  failed?: string;
}

/** An {@link ImportReport}, and what the import printed. */
export interface ProbedImport extends ImportReport {
  output: string;
  /** Where the plugin was to be set up. */
  setup?: SetupReport;
}

/**
 * Imports a module (its `file:` URL) in a child process of its own, in an empty folder, where it can't write, start
 * programs or connect, and tells what it did and left open. With `options` its plugin is set up with them there.
 */
export async function probeImport(url: string, options?: object): Promise<ProbedImport> {
  const extension = import.meta.url.endsWith(".ts") ? "ts" : "js";
  const program = new URL(`./import-probe.${extension}`, import.meta.url);
  const probed = await runProbe<ImportReport & { setup?: SetupReport }>(program, {
    url,
    ...(options && { options }),
  });
  if ("report" in probed) return { ...probed.report, output: probed.output };
  return { failed: probed.failed, effects: [], changed: [], handles: [], output: probed.output };
}
