import { readFileSync } from "node:fs";

/** The version in this package's package.json. */
export function version(): string {
  const manifest: unknown = JSON.parse(readFileSync(new URL("../package.json", import.meta.url), "utf8"));
  return String((manifest as { version: string }).version);
}
