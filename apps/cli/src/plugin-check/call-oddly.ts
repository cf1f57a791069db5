import path from "node:path";
import { createWorkspace, type Effect, isToolError, type Tool } from "@toycoder/core";
import { type Finding, type Parameter, parametersOf, toolBench, type WatchedEffect } from "@toycoder/testing";
import { sampleInput } from "./sample-input.ts";

/** Stands in every odd argument, so that it is found again in what a tool does with it. */
export const MARKER = "toycoder-outside";

const LIMIT_MS = 3000;
/** A path out of the workspace; what a shell would run; what SQL would end a statement at. */
const ODD: readonly string[] = [
  `../${MARKER}.txt`,
  `x"; touch ${MARKER}; echo "$(touch ${MARKER})'; touch ${MARKER}; '`,
  `${MARKER}' OR '1'='1`,
];
const STATEMENT = /^(?:sql|statement|sql_query)$/i;
const FRAGMENT = /^(?:table|table_name|column|columns|where|order_by|orderBy)$/;

export interface OddCalls {
  findings: Finding[];
  calls: number;
}

/**
 * Calls a tool with arguments that fit its schema and mean harm, under a policy that allows them, and finds what
 * came of it: only what surely happened is an error. `seen` is where watched effects are put.
 */
export async function callOddly(tool: Tool, root: string, seen: readonly WatchedEffect[]): Promise<OddCalls> {
  const findings = new Map<string, Finding>();
  const add = (finding: Finding): void =>
    void findings.set(finding.code, findings.get(finding.code) ?? finding);
  let calls = 0;
  let base: Record<string, unknown> | undefined;
  let parameters: Parameter[];
  try {
    base = sampleInput(tool.jsonSchema);
    parameters = parametersOf(tool.jsonSchema);
  } catch {
    return { findings: [], calls };
  }
  for (const finding of schemaSuspicions(tool, parameters)) add(finding);
  if (base === undefined) return { findings: [...findings.values()], calls };
  const texts = parameters.filter(
    ({ path: place, name, schema }) =>
      place === name && schema.type === "string" && schema.enum === undefined,
  );
  const inputs = [{ input: base, by: undefined as string | undefined }];
  for (const { name } of texts)
    for (const odd of ODD) inputs.push({ input: { ...base, [name]: odd }, by: name });
  for (const { input, by } of inputs) {
    const validated = await validatedOf(tool, input);
    if (validated === undefined) continue;
    const declared = await declaredEffects(tool, validated.value, root, add);
    if (declared === undefined) continue;
    const before = seen.length;
    const bench = toolBench([tool], { root });
    const result = await bench.call(tool.name, input, AbortSignal.timeout(LIMIT_MS));
    bench.session.dispose();
    calls++;
    // One that waits for something that is refused here would do so at each call.
    if (!result.ok && result.error.code === "cancelled") break;
    const done = seen.slice(before);
    for (const effect of done) for (const finding of harm(tool, by, effect, declared, root)) add(finding);
    const isBare = !result.ok && result.error.code === "execution_failed";
    if (isBare && done.length === 0 && !isToolError(result.error))
      add({
        severity: "warning",
        code: "throws_bare",
        place: `tool ${tool.name}, execute`,
        message: `for ${JSON.stringify(input)} it throws what is no ToolError: ${result.error.message}`,
        fix: 'return fail("code", "what was wrong", { hint }) or throw a ToolError: then the model learns what to do about it',
      });
  }
  return { findings: [...findings.values()], calls };
}

async function validatedOf(
  tool: Tool,
  input: Record<string, unknown>,
): Promise<{ value: unknown } | undefined> {
  try {
    const result = await tool.input["~standard"].validate(input);
    return result.issues === undefined ? { value: result.value } : undefined;
  } catch {
    return undefined;
  }
}

/** The effects that a call tells; undefined where they cannot be told, which is a finding. */
async function declaredEffects(
  tool: Tool,
  input: unknown,
  root: string,
  add: (finding: Finding) => void,
): Promise<readonly Effect[] | undefined> {
  if (tool.effects === undefined) return [];
  const workspace = createWorkspace({ root });
  try {
    return await tool.effects(input, { workspace, resolve: (file) => workspace.resolve(file) });
  } catch (error) {
    if (!isToolError(error)) {
      add({
        severity: "error",
        code: "effects_throw",
        place: `tool ${tool.name}, effects`,
        message: `for ${JSON.stringify(input)} they throw ${error instanceof Error ? error.message : String(error)}`,
        fix: "effects are worked out before anything is checked: take every input that fits the schema",
      });
    }
    return undefined;
  }
}

function* harm(
  tool: Tool,
  by: string | undefined,
  { kind, what }: WatchedEffect,
  declared: readonly Effect[],
  root: string,
): Generator<Finding> {
  if (by === undefined || !what.includes(MARKER)) return;
  const at = { severity: "error", place: `tool ${tool.name}, input ${by}` } as const;
  const tellsCommand = declared.some((effect) => effect.kind === "exec");
  if (kind === "process" && !tellsCommand && isShell(what)) {
    yield {
      ...at,
      code: "command_unchecked",
      message: `it goes into a shell as it is: ${JSON.stringify(what)}`,
      fix: 'start the program without a shell, with a list of arguments (execFile); and tell the effect { kind: "exec", argv }',
    };
  } else if (kind === "database" && !STATEMENT.test(by)) {
    yield {
      ...at,
      code: "sql_unchecked",
      message: `it goes into a statement as it is: ${JSON.stringify(what.slice(0, 120))}`,
      fix: 'give values apart from the statement: prepare("… where id = ?").get(id); take names of tables from a list',
    };
  } else if ((kind === "read" || kind === "write") && isOutside(what, root)) {
    yield {
      ...at,
      code: "path_unchecked",
      message: `it ${kind}s ${what}, outside of the workspace, and did not tell so before`,
      fix: 'tell it: effects: (input) => [{ kind: "read", path: input.path }]; and open what ctx.resolve(path) gives',
    };
  }
}

/** A call that tells such a path is refused before it runs. */
const isOutside = (file: string, root: string): boolean =>
  path.relative(root, path.resolve(root, file)).startsWith("..");

/** A command line that a shell reads. */
const isShell = (line: string): boolean =>
  line.endsWith("(in a shell)") || /^(?:\S*\/)?(?:ba|da|z)?sh\s+-\w*c\b/.test(line);

/** What a schema leaves open, where running shows nothing. */
function* schemaSuspicions(tool: Tool, parameters: readonly Parameter[]): Generator<Finding> {
  for (const { name, path: shown, schema } of parameters) {
    const isOpen = schema.type === "string" && schema.enum === undefined && schema.pattern === undefined;
    if (!isOpen) continue;
    const place = `tool ${tool.name}, input ${shown}`;
    if (STATEMENT.test(name) && tool.permission === "safe") {
      yield {
        severity: "warning",
        code: "sql_open",
        place,
        message: "a safe tool takes any SQL, writes included",
        fix: "make it sensitive, or open the database for reading alone and say so in the description",
      };
    } else if (FRAGMENT.test(name) && tool.category === "data_query") {
      yield {
        severity: "warning",
        code: "sql_open",
        place,
        message: "it takes any text where a name of the database belongs",
        fix: "list the names: z.enum([…])",
      };
    }
  }
}
