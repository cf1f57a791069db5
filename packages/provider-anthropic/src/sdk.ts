/** What of the official SDK sends messages, without the client that has a dozen other resources beside them. */
export { BaseAnthropic } from "@anthropic-ai/sdk/client";
export { Messages } from "@anthropic-ai/sdk/resources/messages";
