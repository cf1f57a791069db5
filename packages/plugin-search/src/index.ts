export { globSearch, type GlobSearchInput, makeGlobSearch } from "./glob-search.ts";
export { grepSearch, type GrepSearchInput, makeGrepSearch } from "./grep-search.ts";
// oxlint-disable-next-line import/no-default-export -- a plugin package's default export is its factory
export { searchPlugin, searchPlugin as default } from "./plugin.ts";
export type { SearchOptions } from "./search-options.ts";
