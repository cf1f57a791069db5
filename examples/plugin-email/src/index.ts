export type { EmailInput } from "./email-input.ts";
export { type EmailPluginOptions, emailPlugin, emailPlugin as default } from "./plugin.ts";
export { type EmailSettings, makeSendEmail, type SentEmail } from "./send-email.ts";
