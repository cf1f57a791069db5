import type { ModelPrices } from "../model-prices.ts";
import type { RetryOptions } from "./retry.ts";
import type { SkippedTool } from "./encode-tools.ts";

/** How hard a model thinks before it answers. Each provider maps it to what its models take. */
export type ReasoningEffort = "none" | "minimal" | "low" | "medium" | "high" | "xhigh" | "max";

/** What every provider's model takes. */
export interface ModelSettings {
  /** The provider's name for the model. */
  model: string;
  /** Where requests go; default: the SDK's own environment variable, then the provider's address. */
  baseURL?: string;
  /** Default: the SDK's own environment variable. */
  apiKey?: string;
  reasoningEffort?: ReasoningEffort;
  maxOutputTokens?: number;
  temperature?: number;
  /** Sent with every request; they win over our own. */
  headers?: Readonly<Record<string, string>>;
  /** How many times a failed call is made again (default 4), or that with its timing. */
  retries?: number | RetryOptions;
  /** Milliseconds without a byte after which an attempt has failed; default 300,000. */
  idleTimeoutMs?: number;
  /** In tokens, where the caller knows it better than we do. */
  contextWindow?: number;
  /** What a call costs; default: our own table, for the models that it knows. */
  prices?: ModelPrices;
  /** Used instead of the global one, for a proxy or a recording. */
  fetch?: typeof globalThis.fetch;
  /** Put around whichever fetch is used, to watch it: for a log. */
  wrapFetch?: (fetch: typeof globalThis.fetch) => typeof globalThis.fetch;
  /** Told, at each call, which tools could not be offered and why. */
  onSkipped?: (skipped: readonly SkippedTool[]) => void;
}

/** A variable of the environment; an empty one counts as unset, as it does for the SDKs. */
export function fromEnvironment(variable: string): string | undefined {
  const value = process.env[variable]?.trim();
  return value === "" ? undefined : value;
}

/** Whether headers hold one of these names, in any case. */
export const hasHeader = (
  headers: Readonly<Record<string, string>> | undefined,
  ...names: string[]
): boolean => Object.keys(headers ?? {}).some((name) => names.includes(name.toLowerCase()));

/**
 * The values of a call's settings that no message may show: the keys given, and headers that hold one by their
 * name, or by their look: a long word that no sentence has. What follows a scheme (`Bearer …`) counts by itself.
 */
export function secretsOf(
  { headers }: Pick<ModelSettings, "headers">,
  ...keys: (string | undefined)[]
): string[] {
  const secret = Object.entries(headers ?? {}).filter(
    ([name, value]) => /auth|key|token|secret|cookie/i.test(name) || /\S{20}/.test(value),
  );
  const values = secret.flatMap(([, value]) => [value, ...value.split(" ").slice(1)]);
  return [...keys, ...values].filter((one) => one !== undefined);
}
