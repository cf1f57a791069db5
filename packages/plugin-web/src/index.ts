export type { FetchUrlInput } from "./fetch-url.ts";
export type { FetchedPage } from "./fetched-page.ts";
export type { Lookup } from "./guarded-lookup.ts";
// oxlint-disable-next-line import/no-default-export -- a plugin package's default export is its factory
export { webPlugin, webPlugin as default, type WebOptions } from "./plugin.ts";
