import type { CheckReport } from "./check-plugin.ts";

const MARKS = { error: "✗", warning: "!", note: "·" } as const;
const ORDER = ["error", "warning", "note"] as const;

/** A report for people: each finding with its place and what to do about it. */
export function checkText(report: CheckReport): string {
  const { package: owner, plugin, tools, providers, findings, errors, warnings } = report;
  const title = plugin === null ? (owner?.name ?? "the plugin") : `${plugin.name} ${plugin.version}`;
  const lines = [owner === null || plugin === null ? title : `${title} (${owner.name})`];
  for (const { name, level, effects, calls } of tools)
    lines.push(
      `  ${name}: ${level}, ${effects ? "tells its effects" : "tells no effects"}, called ${calls} times`,
    );
  if (providers.length > 0) lines.push(`  providers: ${providers.join(", ")}`);
  for (const wanted of ORDER) {
    for (const { severity, code, place, message, fix } of findings) {
      if (severity !== wanted) continue;
      lines.push("", `${MARKS[severity]} ${place}: ${message} [${code}]`, `  ${fix}`);
    }
  }
  const plural = (count: number, what: string): string => `${count} ${what}${count === 1 ? "" : "s"}`;
  const sum =
    errors + warnings === 0
      ? "Nothing is wrong."
      : `${plural(errors, "error")}, ${plural(warnings, "warning")}.`;
  return `${lines.join("\n")}\n\n${sum}\n`;
}
