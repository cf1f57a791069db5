import { nearest, SetupError } from "@toycoder/core";
import { type ChatQuirks, COMPATIBLE_QUIRKS, quirkValues } from "./chat/quirks.ts";

/** A server whose differences are known. */
export type ServerName =
  | "deepseek"
  | "gemini"
  | "groq"
  | "llama.cpp"
  | "lm-studio"
  | "mistral"
  | "ollama"
  | "openrouter"
  | "qwen"
  | "vllm";

interface Server {
  /** Fits the host and port of the base URLs that are surely this server's. */
  host?: RegExp;
  /** The variables of its key, the first that is set counts. It is sent to that host alone. */
  keys?: readonly string[];
  quirks: Partial<ChatQuirks>;
}

const loopback = (port: number): RegExp => new RegExp(`^(?:localhost|127\\.0\\.0\\.1|\\[::1\\]):${port}$`);

/** Servers that speak Chat Completions in their own way. Where each fact comes from: docs/providers.md. */
export const SERVERS: Readonly<Record<ServerName, Server>> = Object.freeze({
  deepseek: {
    host: /^api\.deepseek\.com$/,
    keys: ["DEEPSEEK_API_KEY"],
    quirks: { effort: "thinking", outputSchema: "json_object", returnReasoning: "required", images: false },
  },
  gemini: {
    host: /^generativelanguage\.googleapis\.com$/,
    keys: ["GEMINI_API_KEY", "GOOGLE_API_KEY"],
    quirks: {
      strictField: false,
      schemas: "gemini",
      outputSchemaWithTools: false,
      returnReasoning: false,
      thoughtSignatures: "required",
    },
  },
  groq: {
    host: /^api\.groq\.com$/,
    keys: ["GROQ_API_KEY"],
    quirks: { outputSchemaWithTools: false, returnReasoning: false, thoughtSignatures: false },
  },
  "llama.cpp": { quirks: { schemas: "no-patterns" } },
  "lm-studio": { host: loopback(1234), quirks: { schemas: "no-patterns" } },
  mistral: {
    host: /^api\.mistral\.ai$/,
    keys: ["MISTRAL_API_KEY"],
    quirks: {
      streamUsage: false,
      returnReasoning: false,
      thoughtSignatures: false,
      shortCallIds: true,
      assistantAfterTool: true,
    },
  },
  ollama: { host: loopback(11434), quirks: { outputSchemaWithTools: false, emptyContent: "text" } },
  openrouter: { host: /^openrouter\.ai$/, keys: ["OPENROUTER_API_KEY"], quirks: {} },
  qwen: {
    host: /^dashscope[\w-]*\.aliyuncs\.com$/,
    keys: ["DASHSCOPE_API_KEY"],
    quirks: { effort: "enable_thinking", outputSchema: "none" },
  },
  vllm: { quirks: {} },
});

const NAMES = Object.keys(SERVERS) as ServerName[];

/** The key of a server that is none of {@link SERVERS}; where theirs is not set, also of those. */
export const COMPATIBLE_KEY = "OPENAI_COMPATIBLE_API_KEY";

/** Every variable that a key may be taken from. */
export const KEY_VARIABLES: readonly string[] = [
  ...NAMES.flatMap((name) => SERVERS[name].keys ?? []),
  COMPATIBLE_KEY,
];

/** The server that a base URL's host surely belongs to. */
export function serverOf(baseURL: string): ServerName | undefined {
  const host = URL.canParse(baseURL) ? new URL(baseURL).host : "";
  return NAMES.find((name) => SERVERS[name].host?.test(host));
}

/** The variables to take a compatible server's key from, the best first. */
export const keyVariables = (baseURL: string): readonly string[] => {
  const server = serverOf(baseURL);
  return [...((server && SERVERS[server].keys) ?? []), COMPATIBLE_KEY];
};

/**
 * All quirks of a compatible server: those of the name given, or else of the base URL's host, with single ones
 * on top. Throws a SetupError `invalid_model` for an unknown name, quirk or value.
 */
export function quirksFor(
  baseURL: string,
  given: ServerName | Partial<ChatQuirks> | undefined,
): Readonly<ChatQuirks> {
  if (typeof given === "string") {
    if (!Object.hasOwn(SERVERS, given)) throw unknown("server", given, NAMES);
    return { ...COMPATIBLE_QUIRKS, ...SERVERS[given].quirks };
  }
  checkQuirks(given);
  const server = serverOf(baseURL);
  const single = Object.fromEntries(Object.entries(given ?? {}).filter(([, value]) => value !== undefined));
  return { ...COMPATIBLE_QUIRKS, ...(server && SERVERS[server].quirks), ...single };
}

/** Throws a SetupError `invalid_model` for an unknown quirk or value, which a config may hold. */
export function checkQuirks(given: Partial<ChatQuirks> | undefined): void {
  for (const [name, value] of Object.entries(given ?? {})) {
    if (!Object.hasOwn(COMPATIBLE_QUIRKS, name)) throw unknown("quirk", name, Object.keys(COMPATIBLE_QUIRKS));
    const values = quirkValues(name as keyof ChatQuirks);
    if (value === undefined || values.includes(value)) continue;
    throw new SetupError("invalid_model", `quirks: ${name} cannot be ${JSON.stringify(value)}`, {
      hint: `it is one of ${values.join(", ")}`,
    });
  }
}

function unknown(what: string, given: string, known: readonly string[]): SetupError {
  const [near] = nearest(given, known, 1);
  return new SetupError("invalid_model", `quirks: there is no ${what} ${JSON.stringify(given)}`, {
    hint: `${near === undefined ? "" : `did you mean ${near}? `}Known are ${known.join(", ")}`,
  });
}
