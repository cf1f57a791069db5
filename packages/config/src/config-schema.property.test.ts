import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { Ajv } from "ajv";
import fc from "fast-check";
import { expect, test } from "vitest";
import { checkShape } from "./check-shape.ts";
import { configSchema } from "./config-schema.ts";
import { CONFIG_SHAPE } from "./config-shape.ts";
import { keyTable } from "./key-table.ts";

const fitsSchema = new Ajv({ allErrors: false }).compile(configSchema());

/** A config with every key in it that JSON can hold. */
const SETTINGS = {
  model: {
    provider: "openai",
    model: "m",
    baseURL: "http://x",
    reasoningEffort: "low",
    maxOutputTokens: 1,
    temperature: 0,
    headers: { a: "b" },
    apiKey: "${KEY}",
    quirks: { a: true },
    contextWindow: 5,
    prices: { input: 1, output: 2, cacheRead: 0, longPrompt: { above: 1, input: 1, output: 1 } },
    fallback: { provider: "a", model: "b", fallback: "c:d" },
  },
  plugins: ["files", ["shell", { timeoutSeconds: 60 }], false, null, "", 0, ["question", ["./x.ts"]]],
  discover: true,
  tools: { enable: ["run_command"], disable: [], versions: { a: "^1" }, alias: { a: "b" }, maxVisible: 3 },
  permissions: {
    levels: { safe: "allow", sensitive: "ask", dangerous: "disabled" },
    allow: ["run_command(git status *)"],
    ask: ["write:**"],
    deny: ["read:.env*"],
    protect: ["secrets/"],
    onAsk: "stop",
    tests: [["run_command", { command: "x" }, "deny"]],
  },
  mcpServers: {
    docs: { command: "npx", args: ["-y", "x"], env: { A: "b" }, cwd: ".", tools: { "a_*": "safe" } },
    web: {
      type: "http",
      url: "https://x",
      headers: { a: "b" },
      bearerToken: "${T}",
      required: true,
      callSeconds: 5,
    },
    off: { disabled: true, permission: "dangerous", include: ["a"], exclude: [], trustAnnotations: false },
  },
  workspace: { roots: ["../other"] },
  limits: { turns: 5, toolCalls: 5, tokens: 5, costUsd: 0.5, minutes: 0.5 },
  sessions: { keepDays: 1, maxMegabytes: 1 },
  credentials: { a: "A_TOKEN", b: { env: "B" }, c: "${C}" },
  instructions: "be kind",
  outputSchema: { type: "object" },
};
const GOOD = { $schema: "./x.json", ...SETTINGS, hooks: {}, profiles: { ci: SETTINGS } };

/** The grammar of rules and patterns, which no schema can say. */
const RULE = /permissions\.(?:allow|ask|deny|protect)\[\d+\]$/;

const values = fc.oneof(
  fc.constantFrom<unknown>(null, true, false, 0, 1, -1, 0.5, 1e300, "", " ", "x", "a:b", "${A}", "A", [], {}),
  fc.constantFrom<unknown>(
    ["shell", {}],
    [[], {}],
    [true, {}],
    ["", {}],
    [["a"]],
    ["a", 1],
    { env: "A" },
    { x: 1 },
  ),
  fc.string({ maxLength: 5 }),
);

interface Mutation {
  /** Which of the value's places, by number. */
  at: number;
  act: "replace" | "remove" | "add" | "wrap" | "double";
  key: string;
  value: unknown;
}

const mutation: fc.Arbitrary<Mutation> = fc.record({
  at: fc.nat(),
  act: fc.constantFrom("replace", "remove", "add", "wrap", "double"),
  key: fc.constantFrom(
    "model",
    "turns",
    "env",
    "deny",
    "x",
    "constructor",
    "__proto__",
    "hooks",
    "profiles",
    "$schema",
  ),
  value: values,
});

type Container = Record<string, unknown>;

/** Every place of a value: what holds it, and its key there. */
function placesOf(value: unknown): { holder: Container; key: string }[] {
  if (typeof value !== "object" || value === null) return [];
  const holder = value as Container;
  return Object.keys(holder).flatMap((key) => [{ holder, key }, ...placesOf(holder[key])]);
}

function mutate(config: unknown, { at, act, key, value }: Mutation): void {
  const places = placesOf(config);
  const place = places[at % Math.max(1, places.length)];
  if (place === undefined) return;
  const { holder } = place;
  const own = holder[place.key];
  const define = (target: object, name: string, item: unknown): void =>
    void Object.defineProperty(target, name, {
      value: item,
      enumerable: true,
      configurable: true,
      writable: true,
    });
  if (act === "replace") define(holder, place.key, structuredClone(value));
  else if (act === "remove" && Array.isArray(holder)) holder.splice(Number(place.key), 1);
  else if (act === "remove") delete holder[place.key];
  else if (act === "wrap") define(holder, place.key, [own]);
  else if (act === "double" && Array.isArray(own)) own.push(...structuredClone(own as unknown[]));
  else if (act === "add" && typeof own === "object" && own !== null && !Array.isArray(own))
    define(own, key, structuredClone(value));
}

test("the good config is good to both", () => {
  expect(checkShape(GOOD, CONFIG_SHAPE)).toEqual([]);
  expect(fitsSchema(GOOD)).toBe(true);
});

test("whatever becomes of it, the schema and the checker say the same", () => {
  let [good, bad] = [0, 0];
  fc.assert(
    fc.property(fc.array(mutation, { minLength: 1, maxLength: 3 }), (mutations) => {
      const config: unknown = structuredClone(GOOD);
      for (const one of mutations) mutate(config, one);
      const problems = checkShape(config, CONFIG_SHAPE);
      const ours = problems.filter(
        ({ place, message }) => !(RULE.test(place) && !message.startsWith("expected ")),
      );
      expect({ fits: fitsSchema(config), problems: ours }).toMatchObject({ fits: ours.length === 0 });
      if (problems.length === 0) good++;
      else bad++;
    }),
    { seed: 7, numRuns: process.env["TOYCODER_SOAK"] === "1" ? 50_000 : 1000 },
  );
  expect(Math.min(good, bad)).toBeGreaterThan(200);
});

test("the published schema and the table of docs/config.md are what the keys are (npm run schema)", () => {
  const read = (file: string): string => readFileSync(new URL(file, import.meta.url), "utf8");
  const published = createRequire(import.meta.url).resolve("@toycoder/config/schemas/config.schema.json");
  expect(readFileSync(published, "utf8")).toBe(`${JSON.stringify(configSchema(), null, 2)}\n`);
  const [, table] = /<!-- keys -->\n\n([^]*?)\n\n<!-- \/keys -->/.exec(read("../../../docs/config.md")) ?? [];
  const bare = (text = ""): string => text.replaceAll(/ +\|/g, " |").replaceAll(/-{3,}/g, "---");
  expect(bare(table)).toBe(keyTable());
});

test("every key says what it is", () => {
  let count = 0;
  const undescribed = (schema: unknown): string[] => {
    if (typeof schema !== "object" || schema === null) return [];
    const { properties = {} } = schema as { properties?: Record<string, Container> };
    const bare = Object.entries(properties).filter(([, of]) => !of["description"] && !of["not"]);
    count += Object.keys(properties).length;
    return [...bare.map(([key]) => key), ...Object.values(schema).flatMap(undescribed)];
  };
  expect(undescribed(configSchema())).toEqual([]);
  expect(count).toBeGreaterThan(80);
});
