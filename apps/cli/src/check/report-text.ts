import type { Report } from "./report.ts";

const WIDTH = 80;
const LABEL = 13;

/** The report for a person, at most 80 columns wide but for words that are longer. */
export function reportText(report: Report): string {
  const { rules, policyTests, modelKey: key } = report;
  const keyText = key === null ? "" : `; ${key.variable ?? "its key"} is ${key.present ? "set" : "not set"}`;
  const status = Object.entries(report.status).flatMap(([name, state]) => row(name, state));
  const tools = report.tools.map(
    ({ name, level, enabled }) => [name, enabled ? level : `${level}, disabled`] as const,
  );
  const limits = Object.entries(report.limits).map(([name, value]) => `${name} ${String(value)}`);
  const lines = [
    ...row("config", report.config ?? "none found: the defaults hold"),
    ...(report.profile === null ? [] : row("profile", report.profile)),
    ...row("workspace", report.workspace),
    ...row("model", report.model + keyText),
    ...report.plugins.flatMap(({ name, version, tools: brought }) =>
      row("plugin", `${name} ${version}: ${brought.join(", ")}`),
    ),
    ...status,
    ...row("limits", limits.join(", ")),
    ...row("rules", `${rules.allow} allow, ${rules.ask} ask, ${rules.deny} deny`),
    ...rules.findings.flatMap(({ list, rule, problem }) => row("", `! ${list} ${rule}: ${problem}`)),
    ...row("policy tests", `${policyTests.passed} passed, ${policyTests.failed.length} failed`),
    ...policyTests.failed.flatMap((one) =>
      row("", `✗ ${one.test}: expected ${one.expected}, is ${one.found}: ${one.reason}`),
    ),
    ...report.credentials.flatMap((one) =>
      row("credential", `${one.name}: ${one.variable} is ${one.present ? "set" : "not set"}`),
    ),
    "",
    "Tools",
    ...tools.map(([name, state]) => `  ${name.padEnd(28)} ${state}`),
    "",
    "Values, and what set them",
    ...report.values.flatMap(({ key: name, value, source }) => valueLines(name, shown(value), source)),
  ];
  return `${lines.join("\n")}\n`;
}

/** A label and a text, wrapped between words. */
const row = (label: string, text: string): string[] =>
  wrapped(text, WIDTH - LABEL).map((line, index) => (index === 0 ? label : "").padEnd(LABEL) + line);

function wrapped(text: string, width: number): string[] {
  const lines: string[] = [];
  let line = "";
  for (const word of text.split(" ")) {
    if (line !== "" && line.length + 1 + word.length > width) {
      lines.push(line);
      line = word;
    } else line = line === "" ? word : `${line} ${word}`;
  }
  return [...lines, line];
}

/** The source stands at the end of the line; where there is no room, the value starts a line of its own. */
function valueLines(key: string, value: string, source: string): string[] {
  const line = `  ${key.padEnd(24)} ${value}`;
  const end = `  ${source}`;
  if (line.length + end.length <= WIDTH) return [line.padEnd(WIDTH - 9) + end];
  return [`  ${key}`.padEnd(WIDTH - 9) + end, ...wrapped(value, WIDTH - 4).map((part) => `    ${part}`)];
}

function shown(value: unknown): string {
  const text = typeof value === "string" ? value : JSON.stringify(value);
  return text.replaceAll("\n", " ");
}
