export { type AiSdkPluginOptions, aiSdkPlugin } from "./ai-sdk-plugin.ts";
export { type AiSdkOptions, fromAiSdkTools } from "./from-ai-sdk-tools.ts";
export { toAiSdkTools } from "./to-ai-sdk-tools.ts";
