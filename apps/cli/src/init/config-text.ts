/** What goes into a new config. */
export interface Plan {
  model: string | { provider: string; model: string; baseURL: string };
  /** Globs that may be written. */
  sources: readonly string[];
  test: { command: string; rule: string } | undefined;
}

export const FORMATS = ["ts", "json", "yaml"] as const;
export type Format = (typeof FORMATS)[number];

/** The file that each format is written to. */
export const FILES: Readonly<Record<Format, string>> = {
  ts: "toycoder.config.ts",
  json: "toycoder.config.json",
  yaml: ".toycoderrc.yaml",
};

const LIMITS = { turns: 50, minutes: 15 };
const DENY = ["read:.env*", "exec:git push *"];

const ABOUT = {
  model:
    "auto: by ANTHROPIC_API_KEY, OPENAI_API_KEY or a local Ollama. One by name: anthropic:NAME, openai:NAME.",
  allow: "What needs no question. Reading and searching inside of this folder never does.",
  deny: "What nothing allows: deny rules come before all others.",
  tests: "Calls and what must be decided on them: `toycoder check` holds the rules to it.",
  limits: "Where a run stops.",
};

/** The text of a config. `schema` is the address of its JSON Schema, for editors. */
export function configText(plan: Plan, format: Format, schema: string): string {
  if (format === "json") return `${JSON.stringify({ $schema: schema, ...configOf(plan) }, null, 2)}\n`;
  return format === "ts" ? moduleText(plan) : yamlText(plan, schema);
}

function configOf({ model, sources, test }: Plan) {
  const allow = sources.flatMap((glob) => [`edit_file(${glob})`, `write_file(${glob})`]);
  const tests: unknown[] = [["read_file", { path: ".env" }, "deny"]];
  if (test !== undefined) {
    allow.push(test.rule);
    tests.push(["run_command", { command: test.command }, "allow"]);
    tests.push(["run_command", { command: `${test.command} && git push` }, "deny"]);
  }
  return { model, permissions: { allow, deny: DENY, tests }, limits: LIMITS };
}

function moduleText(plan: Plan): string {
  const { model, permissions, limits } = configOf(plan);
  const list = (values: readonly unknown[]): string =>
    values.map((value) => `      ${literal(value)},\n`).join("");
  return `import { defineConfig } from "toycoder";

// What ToyCoder is and may do in this project.
export default defineConfig({
  // ${ABOUT.model}
  model: ${literal(model)},
  permissions: {
    // ${ABOUT.allow}
    allow: [
${list(permissions.allow)}    ],
    // ${ABOUT.deny}
    deny: ${literal(permissions.deny)},
    // ${ABOUT.tests}
    tests: [
${list(permissions.tests)}    ],
  },
  // ${ABOUT.limits}
  limits: ${literal(limits)},
});
`;
}

/** A value as a formatter would leave it. */
function literal(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(literal).join(", ")}]`;
  if (typeof value !== "object" || value === null) return JSON.stringify(value);
  const entries = Object.entries(value).map(([key, item]: [string, unknown]) => `${key}: ${literal(item)}`);
  return `{ ${entries.join(", ")} }`;
}

function yamlText(plan: Plan, schema: string): string {
  const { model, permissions, limits } = configOf(plan);
  const list = (values: readonly unknown[]): string =>
    values.map((value) => `    - ${JSON.stringify(value)}\n`).join("");
  return `# yaml-language-server: $schema=${schema}
# What ToyCoder is and may do in this project.

# ${ABOUT.model}
model: ${JSON.stringify(model)}

permissions:
  # ${ABOUT.allow}
  allow:
${list(permissions.allow)}
  # ${ABOUT.deny}
  deny:
${list(permissions.deny)}
  # ${ABOUT.tests}
  tests:
${list(permissions.tests)}
# ${ABOUT.limits}
limits:
${Object.entries(limits)
  .map(([key, value]) => `  ${key}: ${value}\n`)
  .join("")}`;
}
