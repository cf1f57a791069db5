import { createHash } from "node:crypto";
import { defineTool, isToolError, type Tool, ToolError } from "@toycoder/core";
import { type Address, parseAddress } from "./address.ts";
import { compose } from "./compose.ts";
import { emailInput, type EmailInput } from "./email-input.ts";
import { type Delivery, handOver, type Server } from "./hand-over.ts";

export interface EmailSettings extends Omit<Server, "login"> {
  from: string;
  recipients: readonly string[];
  maxRecipients: number;
  user?: string | undefined;
  credential: string;
  dryRun: boolean;
  timeoutSeconds: number;
}

export type SentEmail =
  | { dryRun: false; delivery: Delivery }
  | { dryRun: true; envelope: string[]; message: string };

/** Over the tool's own limit, which is to say whether the message was out: dispatch's knows nothing of that. */
const GRACE_MS = 5000;

/** Makes the tool. A message that was sent, or may have been, is not sent again in the same session. */
export const makeSendEmail = (settings: EmailSettings): Tool<EmailInput, SentEmail> =>
  defineTool({
    name: "send_email",
    description: `Send an e-mail in plain text over SMTP from ${settings.from}; returns who got it${settings.dryRun ? ": a dry run, so the message as it would be sent" : ""}.`,
    input: emailInput(settings.recipients, settings.maxRecipients),
    permission: "sensitive",
    category: "action",
    tags: ["mail", "smtp", "notify", "邮件", "メール"],
    ...(settings.user !== undefined && { requiresAuth: [settings.credential] }),
    effects: () => (settings.dryRun ? [] : [{ kind: "net", host: settings.host }]),
    timeoutMs: settings.timeoutSeconds * 1000 + GRACE_MS,
    execute: async (input, ctx) => {
      const email = { ...input, from: mailbox(settings.from), ...mailboxes(input) };
      const message = await compose(email);
      const envelope = [...email.to, ...email.cc, ...email.bcc].map(({ address }) => address);
      if (settings.dryRun) return { dryRun: true, envelope, message: message.toString("utf8") };
      const done = ctx.state("send_email");
      const key = createHash("sha256").update(JSON.stringify(input)).digest("hex");
      if (done.has(key))
        throw new ToolError("already_sent", `this very message ${String(done.get(key))} in this session`, {
          hint: "don't repeat it; another message needs another text",
        });
      done.set(key, "is being sent");
      try {
        const pass = ctx.credentials[settings.credential] ?? "";
        const server = {
          ...settings,
          ...(settings.user !== undefined && { login: { user: settings.user, pass } }),
        };
        const signal = AbortSignal.any([ctx.signal, AbortSignal.timeout(settings.timeoutSeconds * 1000)]);
        const delivery = await handOver(server, { from: email.from.address, to: envelope }, message, signal);
        done.set(key, "was sent");
        return { dryRun: false, delivery };
      } catch (error) {
        if (isToolError(error) && error.code === "maybe_sent") done.set(key, "may have been sent");
        else done.delete(key);
        throw error;
      }
    },
    toModel: (sent) => (sent.dryRun ? dryText(sent) : sentText(sent.delivery)),
  });

/** What the schema has let through is an address. */
function mailbox(text: string): Address {
  return parseAddress(text) ?? { name: "", address: text };
}

const mailboxes = ({ to, cc, bcc }: EmailInput): Record<"to" | "cc" | "bcc", Address[]> => ({
  to: to.map(mailbox),
  cc: cc.map(mailbox),
  bcc: bcc.map(mailbox),
});

function sentText({ accepted, refused, response }: Delivery): string {
  const lines = [`Sent to ${accepted.join(", ")}. The server said: ${response}`];
  for (const { address, reason } of refused) lines.push(`NOT sent to ${address}: ${reason}`);
  return lines.join("\n");
}

const dryText = ({ envelope, message }: { envelope: string[]; message: string }): string =>
  `A dry run: nothing was sent. To ${envelope.join(", ")} it would be:\n\n${message}`;
