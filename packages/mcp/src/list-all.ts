import type { Client } from "@modelcontextprotocol/sdk/client/index.js";
import { ResultSchema } from "@modelcontextprotocol/sdk/types.js";

const MAX_PAGES = 1000;
const MAX_ENTRIES = 10_000;

export interface Listing {
  entries: readonly unknown[];
  /** Why it ends before the server's own end, where it does. */
  cut?: string;
}

/** All pages of a list, its entries as they are: nothing is judged here. */
export async function listAll(
  client: Client,
  method: "tools/list" | "resources/list" | "resources/templates/list",
  signal: AbortSignal,
): Promise<Listing> {
  const key = {
    "tools/list": "tools",
    "resources/list": "resources",
    "resources/templates/list": "resourceTemplates",
  }[method];
  const entries: unknown[] = [];
  const seen = new Set<unknown>();
  let cursor: unknown;
  for (let page = 0; page < MAX_PAGES; page++) {
    const params = typeof cursor === "string" ? { cursor } : {};
    const result: Record<string, unknown> = await client.request({ method, params }, ResultSchema, {
      signal,
    });
    const listed = result[key];
    if (Array.isArray(listed)) for (const entry of listed as unknown[]) entries.push(entry);
    cursor = result["nextCursor"];
    if (entries.length > MAX_ENTRIES)
      return { entries: entries.slice(0, MAX_ENTRIES), cut: `only the first ${MAX_ENTRIES} are taken` };
    if (typeof cursor !== "string" || cursor === "") return { entries };
    if (seen.has(cursor)) return { entries, cut: "the server's pages go round in a circle" };
    seen.add(cursor);
  }
  return { entries, cut: `only the first ${MAX_PAGES} pages are taken` };
}
