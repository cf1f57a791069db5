import { isIP } from "node:net";
import { definePlugin, type PluginFactory } from "@toycoder/core";
import { z } from "zod";
import { isRecipientPattern, parseAddress } from "./address.ts";
import { makeSendEmail } from "./send-email.ts";

/** What a config has to say: ["toycoder-plugin-email", { host: "…", from: "…", recipients: ["*@example.com"] }]. */
export interface EmailPluginOptions {
  /** The SMTP server. */
  host: string;
  /** Default 587, or 465 with `tls: "implicit"`. */
  port?: number | undefined;
  /** Default "starttls", which is then required. "none" takes no login, but to this machine. */
  tls?: "starttls" | "implicit" | "none" | undefined;
  /** Certificates to trust instead of the usual authorities, as PEM. */
  ca?: string | undefined;
  /** The sender of every message: "CI <ci@example.com>". */
  from: string;
  /** Whom mail may go to: addresses, and domains as "*@example.com". Nobody else gets any. */
  recipients: string[];
  /** Of one message. Default 10. */
  maxRecipients?: number | undefined;
  /** The name to log in with; without it there is no login. */
  user?: string | undefined;
  /** The name of the credential that is its password. Default SMTP_PASSWORD. */
  credential?: string | undefined;
  /** Gives the message as it would be sent, and sends nothing. Default false. */
  dryRun?: boolean | undefined;
  /** For a whole call. Default 30. */
  timeoutSeconds?: number | undefined;
}

const isLocal = (host: string): boolean =>
  host === "localhost" || (isIP(host) !== 0 && /^127\.|^::1$/.test(host));
const HOST = /^[a-z0-9-]+(?:\.[a-z0-9-]+)*$/i;
const header = /^\P{Cc}*$/u;

/** Brings `send_email`. */
export const emailPlugin: PluginFactory<EmailPluginOptions> = definePlugin({
  name: "email",
  version: "0.1.0",
  api: 1,
  options: z
    .strictObject({
      host: z
        .string()
        .refine(
          (host) => isIP(host) !== 0 || HOST.test(host),
          "a host name or an IP address, without a port",
        ),
      port: z.number().int().min(1).max(65_535).optional(),
      tls: z.enum(["starttls", "implicit", "none"]).default("starttls"),
      ca: z.string().optional(),
      from: z
        .string()
        .refine(
          (text) => header.test(text) && parseAddress(text) !== undefined,
          'an address: "CI <ci@example.com>"',
        ),
      recipients: z
        .array(z.string().refine(isRecipientPattern, 'an address, or a domain as "*@example.com"'))
        .min(1, "name those whom mail may go to"),
      maxRecipients: z.number().int().min(1).max(100).default(10),
      user: z.string().min(1).optional(),
      credential: z.string().min(1).default("SMTP_PASSWORD"),
      dryRun: z.boolean().default(false),
      timeoutSeconds: z.number().positive().max(600).default(30),
    })
    .refine(({ tls, user, host }) => tls !== "none" || user === undefined || isLocal(host), {
      message: 'a password goes only over TLS: use "starttls" or "implicit"',
      path: ["tls"],
    }),
  setup: (options) => {
    const settings = { ...options, port: options.port ?? (options.tls === "implicit" ? 465 : 587) };
    const server = `${settings.host}:${settings.port}`;
    return {
      tools: [makeSendEmail(settings)],
      status: {
        email: `${settings.dryRun ? "dry run, not sent" : `over ${server}`}, to ${settings.recipients.join(", ")}`,
      },
    };
  },
});
