export { type ChatSettings, type CompatibleSettings, openAiChat, openAiCompatible } from "./chat/model.ts";
export { encodeTools as encodeChatTools } from "./chat/encode-tools.ts";
export { type ChatQuirks, COMPATIBLE_QUIRKS, OPENAI_QUIRKS } from "./chat/quirks.ts";
export { openAiResponses, type ResponsesSettings } from "./responses/model.ts";
export { encodeTools } from "./responses/encode-tools.ts";
export type { ResponsesQuirks } from "./responses/quirks.ts";
export { KEY_VARIABLES, type ServerName } from "./servers.ts";
