export { fromLangChainTools } from "./from-lang-chain-tools.ts";
export { langChainPlugin, type LangChainPluginOptions } from "./lang-chain-plugin.ts";
export type { LangChainOptions, LangChainTool } from "./lang-chain-tool.ts";
export type { SessionTool } from "./session-tool.ts";
export { toLangChainTools } from "./to-lang-chain-tools.ts";
