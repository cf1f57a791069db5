/**
 * Brands mark our objects across copies of this package: two versions of core on one machine recognise each
 * other's tools, plugins and errors by these global symbols, never by `instanceof`.
 */
export const TOOL: unique symbol = Symbol.for("@toycoder/tool");
export const PLUGIN: unique symbol = Symbol.for("@toycoder/plugin");
export const FAILURE: unique symbol = Symbol.for("@toycoder/failure");
export const TOOL_ERROR: unique symbol = Symbol.for("@toycoder/tool-error");
export const MODEL_ERROR: unique symbol = Symbol.for("@toycoder/model-error");
export const SETUP_ERROR: unique symbol = Symbol.for("@toycoder/setup-error");

/** True when `value` is an object or function that carries `brand`. Never throws, also for revoked proxies. */
export function hasBrand(value: unknown, brand: symbol): boolean {
  if ((typeof value !== "object" && typeof value !== "function") || value === null) return false;
  try {
    return Reflect.get(value, brand) === true;
  } catch {
    return false;
  }
}
