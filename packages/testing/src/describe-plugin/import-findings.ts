import type { Finding } from "../finding.ts";
import type { ProbedImport } from "./probe-import.ts";

const WHAT = {
  write: ["import_writes", "writes", "write files in setup, or better when a tool is called"],
  read: ["import_reads", "reads", "read files in setup, or better when a tool is called"],
  process: ["import_starts_process", "starts", "start programs when a tool is called"],
  network: [
    "import_connects",
    "connects to",
    "connect when a tool is called: a plugin has to load without a network",
  ],
  database: ["import_asks_database", "sends", "open databases in setup"],
} as const;

/** What is wrong with what an import did: it is to do nothing but define. */
export function importFindings(report: ProbedImport, place: string): Finding[] {
  const error = (code: string, message: string, fix: string): Finding => ({
    severity: "error",
    code,
    place,
    message,
    fix,
  });
  const findings: Finding[] = [];
  for (const { kind, what } of report.effects) {
    const [code, verb, fix] = WHAT[kind];
    findings.push(error(code, `its import ${verb} ${what}`, fix));
  }
  if (report.changed.length > 0) {
    const names = report.changed.slice(0, 5).join(", ");
    findings.push(
      error(
        "import_changes_globals",
        `its import changes ${names}`,
        "keep state within setup; change nothing that others share",
      ),
    );
  }
  if (report.handles.length > 0) {
    findings.push(
      error(
        "import_leaves_open",
        `its import leaves open: ${report.handles.join(", ")}`,
        "start timers and servers in setup, and end them in dispose",
      ),
    );
  }
  if (report.output.trim() !== "" && report.failed === undefined) {
    const shown = JSON.stringify(report.output.trim().slice(0, 60));
    findings.push(
      error(
        "import_prints",
        `its import prints ${shown}`,
        "take the output out: stdout belongs to the run's answer",
      ),
    );
  }
  // Where an effect was refused, its failure is no finding of its own.
  if (report.failed !== undefined && report.effects.length === 0) {
    const said = report.output.trim().split("\n").slice(-3).join(" ").slice(0, 300);
    findings.push(
      error(
        "import_failed",
        `it cannot be imported: ${report.failed}${said === "" ? "" : `; it said: ${said}`}`,
        "node --eval 'await import(\"…\")' shows the whole error",
      ),
    );
  }
  return findings;
}
