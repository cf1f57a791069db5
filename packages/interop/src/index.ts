export type { DispatchedOutput } from "./dispatched-output.ts";
export type { ForeignOptions, ForeignTools, LeftOutTool } from "./foreign-options.ts";
export type { OfferOptions } from "./offered-tools.ts";
