import { messageOf, type Tool } from "@toycoder/core";
import type { Finding } from "../finding.ts";
import { descriptionFindings } from "./description-findings.ts";
import { levelFindings } from "./level-findings.ts";
import { parameterFindings } from "./parameter-findings.ts";

/** What a look at a tool finds, without running it: its words, its parameters, its level and effects. */
export function inspectTool(tool: Tool): Finding[] {
  try {
    void tool.jsonSchema;
  } catch (error) {
    return [
      {
        severity: "error",
        code: "schema_not_convertible",
        place: `tool ${tool.name}, input`,
        message: messageOf(error),
        fix: "use what JSON Schema can say: no dates, sets, maps or functions",
      },
    ];
  }
  return [...descriptionFindings(tool), ...parameterFindings(tool), ...levelFindings(tool)];
}
