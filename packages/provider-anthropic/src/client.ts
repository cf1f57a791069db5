import type { Messages } from "@anthropic-ai/sdk/resources/messages";
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

const ANTHROPIC_URL = "https://api.anthropic.com";
const KEY_VARIABLE = "ANTHROPIC_API_KEY";

/** The part of the official SDK that sends messages, with what is needed to report its failures. */
export interface Client {
  messages: Messages;
  failure: FailureContext;
}

/** The base URL of the settings, of the SDK's variable, or Anthropic's; a SetupError where it is no address. */
export const configuredBaseURL = (settings: ModelSettings): string =>
  cleanBaseURL(settings.baseURL ?? fromEnvironment("ANTHROPIC_BASE_URL") ?? ANTHROPIC_URL, [
    "/messages",
    "/v1",
  ]);

/**
 * Loads the SDK (100 ms and more, so not before a request is made) and sets it up without its own retries.
 * Throws a ModelError `auth` where there is no key, neither in the settings nor in the SDK's variables.
 */
export async function createClient(settings: ModelSettings): Promise<Client> {
  const apiKey = settings.apiKey || fromEnvironment(KEY_VARIABLE);
  const authToken = apiKey === undefined ? fromEnvironment("ANTHROPIC_AUTH_TOKEN") : undefined;
  const authorized = hasHeader(settings.headers, "authorization", "x-api-key");
  if (apiKey === undefined && authToken === undefined && !authorized) {
    throw new ModelError("auth", "there is no key for Anthropic", {
      hint: `set ${KEY_VARIABLE}, or pass apiKey; keys are made at https://console.anthropic.com`,
    });
  }
  const baseURL = configuredBaseURL(settings);
  const inUse = settings.fetch ?? (await environmentFetch(() => import("undici")));
  const fetch = settings.wrapFetch?.(inUse) ?? inUse;
  const { BaseAnthropic, Messages } = await import("./sdk.ts");
  const client = new BaseAnthropic({
    apiKey: apiKey ?? null,
    authToken: authToken ?? null,
    baseURL,
    maxRetries: 0,
    logLevel: "off",
    defaultHeaders: { ...settings.headers },
    fetch,
  });
  return {
    messages: new Messages(client),
    failure: {
      provider: "Anthropic",
      baseURL,
      keyVariable: KEY_VARIABLE,
      secrets: secretsOf(settings, apiKey, authToken),
    },
  };
}
