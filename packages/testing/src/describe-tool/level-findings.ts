import type { Tool } from "@toycoder/core";
import type { Finding } from "../finding.ts";
import { type Parameter, parametersOf } from "./parameter-findings.ts";

/** Verbs of names that change or run something, where they stand first. */
const CHANGES: ReadonlySet<string> = new Set(
  `add append apply cancel commit create delete deploy drop edit exec execute insert install kill merge move patch pay
  post publish push put remove rename replace reset restart run save send set stop submit update upload upsert
  write`.split(/\s+/),
);
/** Those that are hardly ever nouns: they count after a prefix, too, as in `shop_delete_order`. */
const SURE: ReadonlySet<string> = new Set(
  "append create delete deploy execute insert install kill remove rename send update upload upsert write".split(
    " ",
  ),
);
const READS =
  /^(?:count|describe|explain|fetch|find|get|list|look|preview|query|read|search|show|summarize|view)$/;
const PATH = /(?:^|_)(?:path|file|filename|filepath|folder|dir|directory)s?$/;
const COMMAND = /^(?:cmd|command|commands|script|shell|argv)$/;
const ADDRESS = /^(?:url|uri|host|hostname|endpoint)$/;

const snake = (name: string): string => name.replaceAll(/([a-z0-9])([A-Z])/g, "$1_$2").toLowerCase();
const named = (parameters: readonly Parameter[], pattern: RegExp): Parameter | undefined =>
  parameters.find(({ name }) => pattern.test(snake(name)));

/** The parameter that names a file or folder, by its name; undefined where there is none. */
export const pathParameter = (parameters: readonly Parameter[]): Parameter | undefined =>
  named(parameters, PATH);

/** Whether a tool changes something or runs something, by what it says of itself. */
export const changesThings = ({ name, category }: Pick<Tool, "name" | "category">): boolean =>
  category === "action" || category === "execution" || namesChange(name);

function namesChange(name: string): boolean {
  const [first = "", ...rest] = name.split("_");
  const verb = rest.find((word) => SURE.has(word) || READS.test(word));
  return CHANGES.has(first) || (!READS.test(first) && verb !== undefined && SURE.has(verb));
}

/** Levels and effects that a tool lacks: what it doesn't declare, no rule can judge. */
export function levelFindings(tool: Tool): Finding[] {
  const { name, category, permission } = tool;
  const parameters = parametersOf(tool.jsonSchema);
  const findings: Finding[] = [];
  const isPure = category === "computation" || category === "interaction";
  if (permission === "safe" && changesThings(tool) && !isPure) {
    findings.push({
      severity: "error",
      code: "level_missing",
      place: `tool ${name}, permission`,
      message: `it is safe, so it runs unasked, but ${namesChange(name) ? "its name" : `its category, ${category},`} says that it changes or runs something`,
      fix: 'declare permission: "sensitive", or "dangerous" where it could do anything; or give it a name and category of what only reads',
    });
  }
  if (tool.effects !== undefined || isPure) return findings;
  const subject = named(parameters, PATH) ?? named(parameters, COMMAND) ?? named(parameters, ADDRESS);
  if (subject !== undefined) {
    const kind = PATH.test(snake(subject.name))
      ? "read or write"
      : COMMAND.test(snake(subject.name))
        ? "exec"
        : "net";
    findings.push({
      severity: "error",
      code: "effects_missing",
      place: `tool ${name}, effects`,
      message: `it takes ${subject.path}, but declares no effect: no rule for paths, commands or hosts sees what it does`,
      fix: `declare it: effects: (input) => [{ kind: ${kind === "exec" ? '"exec", argv: […]' : kind === "net" ? '"net", host: …' : '"read" or "write", path: …'} }]`,
    });
  } else if (changesThings(tool)) {
    findings.push({
      severity: "warning",
      code: "effects_missing",
      place: `tool ${name}, effects`,
      message:
        "it changes or runs something, but declares no effect: it is judged by its name and level alone",
      fix: "declare what it does: effects: (input) => [{ kind, … }] of read, write, exec and net",
    });
  }
  return findings;
}
