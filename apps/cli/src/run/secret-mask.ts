import { createMask, type Mask } from "@toycoder/core";
import { PROVIDER_KEYS } from "../models.ts";
import type { SetUp } from "../set-up.ts";

/**
 * Takes the values of credentials, of the providers' keys and of secret headers out of JSON lines. Without a set-up,
 * only the providers' keys are known.
 */
export function secretMask(ready: SetUp | undefined, env: NodeJS.ProcessEnv): Mask {
  const names = [...PROVIDER_KEYS, ...(ready === undefined ? [] : secretNames(ready))];
  return jsonMask(Object.fromEntries(names.map((name) => [name, env[name] ?? ""])));
}

/** A call's arguments are JSON text in a JSON line, so a value may be escaped once or twice. */
export function jsonMask(values: Readonly<Record<string, string>>): Mask {
  const asJson = (value: string): string => JSON.stringify(value).slice(1, -1);
  const forms = [(value: string) => asJson(asJson(value)), asJson, (value: string) => value];
  const masks = forms.map((form) =>
    createMask(Object.fromEntries(Object.entries(values).map(([name, value]) => [name, form(value)]))),
  );
  return (text) => masks.reduce((masked, mask) => mask(masked), text);
}

const secretNames = ({ loaded, registry }: SetUp): string[] => [
  ...loaded.secretVariables,
  ...registry.list({ includeDeprecated: true }).flatMap((tool) => tool.requiresAuth),
];
