import { ModelError } from "@toycoder/core";
import {
  type FailureContext,
  fromEnvironment,
  hasHeader,
  type ModelSettings,
  secretsOf,
} from "@toycoder/core/wire";
import type { OpenAI } from "openai";
import { withErrorBodies } from "./error-body.ts";

const OPENAI_URL = "https://api.openai.com/v1";
const KEY_VARIABLE = "OPENAI_API_KEY";

/** A client of the official SDK, with what is needed to report its failures. */
export interface Client {
  sdk: OpenAI;
  failure: FailureContext;
}

export interface ClientRules {
  /** As people call the server, for messages. */
  provider: string;
  /** Whether requests without a key make sense: they do for most local servers. */
  keyless: boolean;
}

/** The base URL of the settings, or of the SDK's variable OPENAI_BASE_URL. */
export const configuredBaseURL = (settings: ModelSettings): string | undefined =>
  settings.baseURL ?? fromEnvironment("OPENAI_BASE_URL");

/**
 * Whether requests go to a server that is known to enforce strict tools: OpenAI's own, or Azure's. Elsewhere a
 * tool keeps its own schema: where nobody makes the model write every property, optional ones better stay so.
 */
export function enforcesStrict(settings: ModelSettings): boolean {
  const url = configuredBaseURL(settings) ?? OPENAI_URL;
  return URL.canParse(url) && /(?:^|\.)(?:openai\.com|azure\.com)$/.test(new URL(url).hostname);
}

/**
 * Loads the SDK (100 ms and more, so not before a request is made) and sets it up without its own retries.
 * Throws a ModelError `auth` where a key is needed and there is none.
 */
export async function createClient(
  settings: ModelSettings,
  { provider, keyless }: ClientRules,
): Promise<Client> {
  const apiKey = settings.apiKey ?? fromEnvironment(KEY_VARIABLE);
  const baseURL = configuredBaseURL(settings) ?? OPENAI_URL;
  const authorized = hasHeader(settings.headers, "authorization", "api-key");
  if (apiKey === undefined && !keyless && !authorized) {
    throw new ModelError("auth", `there is no key for ${provider}`, {
      hint: `set ${KEY_VARIABLE}, or pass apiKey; keys are made at https://platform.openai.com/api-keys`,
    });
  }
  const { OpenAI } = await import("openai");
  const sdk = new OpenAI({
    // The constructor wants some key; without one of ours no authorization header is sent.
    apiKey: apiKey ?? "none",
    adminAPIKey: null,
    baseURL,
    maxRetries: 0,
    logLevel: "off",
    fetch: withErrorBodies(settings.fetch ?? globalThis.fetch),
    defaultHeaders: { ...(apiKey === undefined ? { authorization: null } : {}), ...settings.headers },
    ...(keyless ? { organization: null, project: null } : {}),
  });
  return {
    sdk,
    failure: { provider, baseURL, keyVariable: KEY_VARIABLE, secrets: secretsOf(settings, apiKey) },
  };
}
