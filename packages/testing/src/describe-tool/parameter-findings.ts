import type { JsonSchema, Tool } from "@toycoder/core";
import type { Finding } from "../finding.ts";
import { isObject, walkSchema } from "../walk-schema.ts";

/** A parameter of a tool, at any depth. */
export interface Parameter {
  name: string;
  /** `filter.where`, `edits[].path`. */
  path: string;
  schema: JsonSchema;
  required: boolean;
}

/** Every named parameter of a tool's input, those of nested objects included. */
export function parametersOf(root: JsonSchema): Parameter[] {
  const found: Parameter[] = [];
  for (const { schema, path } of walkSchema(root)) {
    if (typeof schema === "boolean" || !isObject(schema.properties)) continue;
    const holder = shownPath(path);
    const required = Array.isArray(schema.required) ? schema.required : [];
    for (const [name, property] of Object.entries(schema.properties)) {
      if (!isObject(property)) continue;
      found.push({
        name,
        path: holder === "" ? name : `${holder}.${name}`,
        schema: property,
        required: required.includes(name),
      });
    }
  }
  return found;
}

/** A JSON pointer as a model would write the path: `/properties/edits/items` is `edits[]`. */
function shownPath(pointer: string): string {
  let shown = "";
  const steps = pointer.split("/").slice(1);
  for (let at = 0; at < steps.length; at++) {
    const step = steps[at] ?? "";
    if (step === "items" || step === "prefixItems") shown += "[]";
    else if (step === "properties") shown += `${shown === "" ? "" : "."}${steps[++at] ?? ""}`;
    else if (step === "$defs" || step === "definitions") shown = steps[++at] ?? "";
    else if (/^(?:any|one|all)Of$/.test(step)) at++;
  }
  return shown;
}

/**
 * Parameters that nothing describes. A description stands at the parameter itself or at another of the same name;
 * or the tool's own description speaks of it by its name.
 */
export function parameterFindings(tool: Pick<Tool, "name" | "description" | "jsonSchema">): Finding[] {
  const parameters = parametersOf(tool.jsonSchema);
  const described = new Set(
    parameters
      .filter(({ schema }) => typeof schema.description === "string" && schema.description.trim() !== "")
      .map(({ name }) => name),
  );
  const spoken = new Set(tool.description.toLowerCase().match(/[\p{L}\p{N}_]+/gu) ?? []);
  const names = parameters.filter(({ name, schema }) => {
    const ownWords = isObject(schema.properties) || schema.const !== undefined;
    return !described.has(name) && !ownWords && !spoken.has(name.toLowerCase());
  });
  return names.map(({ path }) => ({
    severity: "error",
    code: "parameter_undescribed",
    place: `tool ${tool.name}, input ${path}`,
    message: "nothing says what it is",
    fix: 'describe it in the schema: z.string().describe("…")',
  }));
}
