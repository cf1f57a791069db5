import { checkPluginEntry } from "./plugin-entry.ts";
import { MCP_SERVERS } from "./mcp-shape.ts";
import { MODEL_CHOICE } from "./model-shape.ts";
import { DENY, PERMISSIONS } from "./permissions-shape.ts";
import { describeValue, isObject, type Report, type Shape } from "./shape.ts";
import { about, filled, matching, TEXT } from "./text-shape.ts";

const TEXTS: Shape = { kind: "list", of: TEXT };

// The value itself is never repeated: somebody may have put the secret there.
const variable: Shape = matching(
  String.raw`^(?:[A-Za-z_]\w*|\$\{[A-Za-z_]\w*\})$`,
  () =>
    "expected the name of an environment variable, got a string that is none; a credential's value does not belong here",
);

/** What every provider takes as a tool's name. */
const WIRE_NAME: Shape = matching(
  String.raw`^[A-Za-z][\w-]{0,63}$`,
  (value) => `expected a name of letters, digits, _ and -, at most 64 long, got ${describeValue(value)}`,
);

/** Whether it is a schema that can be used, whoever uses it says. */
function checkSchema(value: unknown, place: string, report: Report): void {
  if (isObject(value) || typeof value === "function") return;
  report(place, `expected a JSON Schema or a schema such as zod's, got ${describeValue(value)}`);
}

const SCHEMA_ADDRESS: Shape = about("Where this schema is, for editors. Nothing is loaded from there.", TEXT);

const CREDENTIALS: Shape = about(
  "Credential → the environment variable that holds its value. Never the value itself.",
  {
    kind: "map",
    of: {
      kind: "either",
      of: [
        variable,
        { kind: "object", keys: { env: about("The variable's name.", variable) }, required: ["env"] },
      ],
    },
  },
);

/** The keys that the config and each of its profiles have. */
const SETTINGS: Readonly<Record<string, Shape>> = {
  model: MODEL_CHOICE,
  plugins: about("What brings the tools. Default: files, search, shell and question.", {
    kind: "list",
    of: {
      kind: "custom",
      check: checkPluginEntry,
      schema: { $ref: "#/definitions/plugin" },
      expected: "a plugin, or a pair of one and its options",
    },
  }),
  discover: about(
    "Whether the direct dependencies of the config's folder with the keyword toycoder-plugin are plugins, too. Default: false.",
    { kind: "flag" },
  ),
  tools: about("Which tools the model is offered, and how.", {
    kind: "object",
    keys: {
      enable: about("Names of tools to enable: dangerous ones start disabled.", TEXTS),
      disable: about("Names of tools to disable: they are not offered to the model.", TEXTS),
      versions: about("Tool → the semver range of the version to use. Default: the newest.", {
        kind: "map",
        of: filled("a semver range"),
      }),
      alias: about(
        "Tool → another name to offer it to the model under; rules keep naming the tool itself. PLUGIN/TOOL → another name for everything, where two plugins have a tool of one name.",
        {
          kind: "map",
          of: WIRE_NAME,
        },
      ),
      maxVisible: about(
        "With more enabled tools than that, the model is offered a core of them and searches for others. Default: 20.",
        { kind: "number", whole: true, min: 1 },
      ),
    },
  }),
  permissions: PERMISSIONS,
  mcpServers: MCP_SERVERS,
  workspace: about("The folder that the agent works in.", {
    kind: "object",
    keys: {
      roots: about("Further folders that it may touch: relative to the workspace, absolute, or with ~.", {
        kind: "list",
        of: filled("a folder"),
      }),
    },
  }),
  limits: about("Where a run stops, with exit code 7.", {
    kind: "object",
    keys: {
      turns: about("The most turns. Default: 50.", { kind: "number", whole: true, min: 1 }),
      toolCalls: about("The most tool calls.", { kind: "number", whole: true, min: 1 }),
      tokens: about("The most tokens, of prompts and answers together.", {
        kind: "number",
        whole: true,
        min: 1,
      }),
      costUsd: about("The most that it may cost; it takes a model whose prices are known.", {
        kind: "number",
        min: 0.0001,
      }),
      minutes: about("The most minutes.", { kind: "number", min: 0.001 }),
    },
  }),
  sessions: about("How long sessions are kept on disk.", {
    kind: "object",
    keys: {
      keepDays: about("Days after their last event. Default: 30.", { kind: "number", min: 0 }),
      maxMegabytes: about("The size of all together. Default: 1024.", { kind: "number", min: 0 }),
    },
  }),
  credentials: CREDENTIALS,
  hooks: about("Functions around each tool call; in .ts and .js configs.", {
    kind: "object",
    keys: {
      beforeToolCall: about("May refuse a call or change its arguments, never allow one.", {
        kind: "function",
      }),
      afterToolCall: about("Is told each call's result.", { kind: "function" }),
    },
  }),
  instructions: about("A text for the system prompt, after AGENTS.md.", TEXT),
  outputSchema: about("What a run's final answer must be: a JSON Schema, or a schema of zod and the like.", {
    kind: "custom",
    check: checkSchema,
    schema: { type: "object" },
    expected: "a JSON Schema or a schema such as zod's",
  }),
};

export const PROFILE_KEYS: Readonly<Record<string, Shape>> = {
  ...SETTINGS,
  hooks: {
    kind: "unsupported",
    why: "the hooks of the config hold in every profile; write them outside of it",
  },
  profiles: { kind: "unsupported", why: "a profile holds no profiles; write them side by side" },
};

/** Every key of a config, at any depth. */
export const CONFIG_SHAPE: Shape = {
  kind: "object",
  keys: {
    ...SETTINGS,
    profiles: about("Settings by name, for --profile NAME: they are put over the config's.", {
      kind: "map",
      of: { kind: "object", keys: PROFILE_KEYS },
    }),
    $schema: SCHEMA_ADDRESS,
  },
};

const NOT_A_PERSONS = {
  kind: "unsupported",
  why: "a person's defaults hold model, credentials and permissions.deny only; this belongs into the project's config",
} as const;

const refused = (keys: Readonly<Record<string, unknown>>): Record<string, Shape> =>
  Object.fromEntries(Object.keys(keys).map((key) => [key, NOT_A_PERSONS]));

/** What a person's defaults may hold: nothing that lifts what a project's config says. */
export const PERSON_SHAPE: Shape = {
  kind: "object",
  keys: {
    ...refused({ ...SETTINGS, profiles: undefined }),
    model: MODEL_CHOICE,
    credentials: CREDENTIALS,
    permissions: {
      kind: "object",
      keys: { ...refused(PERMISSIONS.kind === "object" ? PERMISSIONS.keys : {}), deny: DENY },
    },
    $schema: SCHEMA_ADDRESS,
  },
};
