import { watchImport } from "@toycoder/testing";
import { importFrom, resolveToycoder } from "../resolve-toycoder.ts";
import type { InspectionTask } from "./inspection.ts";

// The program of a child process: does the task that its first argument holds, and sends what it found. It imports
// foreign code, which may do anything: whatever it breaks, it breaks here.
const task = JSON.parse(String(process.argv[2])) as InspectionTask;
resolveToycoder();
const send = (report: unknown): void => void process.send?.(report, () => process.exit(0));
if (task.mode === "import") send(await watchImport(() => importFrom(task.module, import.meta.filename)));
else {
  const { inspectPlugin } = await import("./inspect-plugin.ts");
  send(await inspectPlugin(task));
}
