import { ModelError } from "@toycoder/core";
import {
  cleanBaseURL,
  environmentFetch,
  type FailureContext,
  fromEnvironment,
  hasHeader,
  type ModelSettings,
  secretsOf,
} from "@toycoder/core/wire";
import type { OpenAI } from "openai";
import { withErrorBodies } from "./error-body.ts";
import { keyVariables } from "./servers.ts";

const OPENAI_URL = "https://api.openai.com/v1";
const KEY_VARIABLE = "OPENAI_API_KEY";
/** The API's own paths, which people copy with the base URL. */
const ENDINGS = ["/chat/completions", "/completions", "/responses"];

/** A client of the official SDK, with what is needed to report its failures. */
export interface Client {
  sdk: OpenAI;
  failure: FailureContext;
}

export interface ClientRules {
  /** As people call the server, for messages. */
  provider: string;
  /** Any server: requests without a key make sense, and OpenAI's key is not for it. */
  compatible: boolean;
}

/** The base URL of the settings, or of the SDK's variable OPENAI_BASE_URL; a SetupError where it is none. */
export function configuredBaseURL(settings: ModelSettings): string | undefined {
  const given = settings.baseURL ?? fromEnvironment("OPENAI_BASE_URL");
  return given === undefined ? undefined : cleanBaseURL(given, ENDINGS);
}

/**
 * Whether requests go to a server that is known to enforce strict tools: OpenAI's own, or Azure's. Elsewhere a
 * tool keeps its own schema: where nobody makes the model write every property, optional ones better stay so.
 */
export const enforcesStrict = (settings: ModelSettings): boolean =>
  isOpenAi(configuredBaseURL(settings) ?? OPENAI_URL);

const isOpenAi = (url: string): boolean => /(?:^|\.)(?:openai\.com|azure\.com)$/.test(new URL(url).hostname);

/** Where OpenAI's API, or Azure's, can be behind a host: others below azure.com belong to whoever rents them. */
const mayHaveKey = (url: string): boolean =>
  /(?:^|\.)(?:openai\.com|(?:openai|services\.ai|cognitiveservices)\.azure\.com)$/.test(
    new URL(url).hostname,
  );

/**
 * The variables that a key may come from, the best first. OpenAI's is for OpenAI's API: a compatible server gets
 * it only where it is OpenAI's or Azure's, or where the base URL stands beside it in the environment.
 */
function variablesFor(
  settings: ModelSettings,
  baseURL: string,
  { compatible }: ClientRules,
): readonly string[] {
  if (!compatible) return [KEY_VARIABLE];
  const own = keyVariables(baseURL);
  if (mayHaveKey(baseURL)) return [KEY_VARIABLE, ...own];
  return settings.baseURL === undefined ? [...own, KEY_VARIABLE] : own;
}

/**
 * Loads the SDK (100 ms and more, so not before a request is made) and sets it up without its own retries.
 * Throws a ModelError `auth` where a key is needed and there is none.
 */
export async function createClient(settings: ModelSettings, rules: ClientRules): Promise<Client> {
  const { provider, compatible } = rules;
  const baseURL = configuredBaseURL(settings) ?? OPENAI_URL;
  const variables = variablesFor(settings, baseURL, rules);
  const keyVariable = variables.find((name) => fromEnvironment(name) !== undefined) ?? variables[0];
  const apiKey = settings.apiKey || (keyVariable === undefined ? undefined : fromEnvironment(keyVariable));
  const authorized = hasHeader(settings.headers, "authorization", "api-key");
  if (apiKey === undefined && !compatible && !authorized) {
    throw new ModelError("auth", `there is no key for ${provider}`, {
      hint: `set ${KEY_VARIABLE}, or pass apiKey; keys are made at https://platform.openai.com/api-keys`,
    });
  }
  const inUse = settings.fetch ?? (await environmentFetch(() => import("undici")));
  const fetch = settings.wrapFetch?.(inUse) ?? inUse;
  const { OpenAI } = await import("openai");
  const sdk = new OpenAI({
    // The constructor wants some key; without one of ours no authorization header is sent.
    apiKey: apiKey ?? "none",
    adminAPIKey: null,
    baseURL,
    maxRetries: 0,
    logLevel: "off",
    fetch: withErrorBodies(fetch),
    defaultHeaders: { ...(apiKey === undefined ? { authorization: null } : {}), ...settings.headers },
    ...(compatible ? { organization: null, project: null } : {}),
  });
  return {
    sdk,
    failure: {
      provider,
      baseURL,
      ...(keyVariable !== undefined && !(compatible && settings.apiKey) && { keyVariable }),
      secrets: secretsOf(settings, apiKey),
    },
  };
}
