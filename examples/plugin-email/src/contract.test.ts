import { describePlugin, describeTool } from "@toycoder/testing";
import { afterAll, describe, test } from "vitest";
import manifest from "../package.json" with { type: "json" };
import { emailPlugin } from "./plugin.ts";
import { makeSendEmail } from "./send-email.ts";
import { certificate, mailServer } from "./test-support/mail-server.ts";

const server = await mailServer();
afterAll(() => server[Symbol.asyncDispose]());

const mail = { to: ["bob@example.com"], subject: "Hello", text: "How are you?" };

describeTool(
  {
    tool: makeSendEmail({
      host: "127.0.0.1",
      port: server.port,
      tls: "starttls",
      ca: certificate(),
      from: "ci@example.com",
      recipients: ["*@example.com"],
      maxRecipients: 3,
      credential: "SMTP_PASSWORD",
      dryRun: false,
      timeoutSeconds: 20,
    }),
    examples: [{ input: mail }, { input: { ...mail, cc: ["Ada <ada@example.com>"] } }],
    wrong: [
      { input: { ...mail, to: ["eve@evil.example"] }, says: "to[0]" },
      { input: { ...mail, subject: "a\nb" }, says: "subject" },
    ],
  },
  { describe, test },
);

const options = { host: "mail.example.com", from: "ci@example.com", recipients: ["*@example.com"] };

describePlugin(
  {
    plugin: emailPlugin,
    manifest,
    entry: import.meta.resolve("./index.ts"),
    options,
    wrongOptions: [
      { options: { ...options, recipients: [] }, path: "recipients" },
      { options: { ...options, recipients: ["*"] }, path: "recipients.0" },
      { options: { ...options, from: "nobody" }, path: "from" },
      { options: { ...options, host: "mail.example.com:25" }, path: "host" },
      { options: { ...options, tls: "none", user: "ci" }, path: "tls" },
    ],
  },
  { describe, test },
);
