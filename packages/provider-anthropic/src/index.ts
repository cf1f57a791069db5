export { encodeTools } from "./encode-tools.ts";
export { anthropic } from "./model.ts";
