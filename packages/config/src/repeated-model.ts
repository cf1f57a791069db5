import type { ModelConfig } from "./define-config.ts";
import type { ConfigProblem } from "./shape.ts";

/** A model that comes twice in its chain of fallbacks, where it has failed already; undefined where none does. */
export function repeatedModel(model: ModelConfig): ConfigProblem | undefined {
  const places = new Map<string, string>();
  let next: string | ModelConfig | undefined = model;
  for (let place = "model"; next !== undefined; place += ".fallback") {
    const same = places.get(identityOf(next));
    if (same !== undefined) {
      return { place, message: `is the same as ${same}; name another model, or this one at another server` };
    }
    places.set(identityOf(next), place);
    next = typeof next === "string" ? undefined : next.fallback;
  }
  return undefined;
}

/** The same model at another server, or with another account's key or headers, is another one. */
function identityOf(model: string | ModelConfig): string {
  if (typeof model === "string") return JSON.stringify([model, null, null, []]);
  const { baseURL = null, apiKey = null, headers = {} } = model;
  const sorted = Object.entries(headers).toSorted(([a], [b]) => (a < b ? -1 : 1));
  return JSON.stringify([`${model.provider}:${model.model}`, baseURL, apiKey, sorted]);
}
