import { messageOf, ToolError } from "@toycoder/core";
import type { SMTPError } from "nodemailer/lib/smtp-connection";

export interface SmtpFailure {
  error: ToolError;
  reason: string;
  /** What the server said; undefined where it said nothing. */
  response: string | undefined;
}

const LATER = "the server says that this may pass: try again later, and not at once";

/** Node's codes of a certificate or a handshake that fails. */
const NOT_TRUSTED = /CERT|SELF_SIGNED|UNABLE_TO_VERIFY|^ERR_(?:TLS|SSL)|^EPROTO$/;

/** What went wrong between us and the server, for a message that it has not taken. */
export function smtpFailure(thrown: unknown, server: string): SmtpFailure {
  const { code, originalCode = "", command = "", response, permanent, rejectedErrors } = thrown as SMTPError;
  const reason = response ?? messageOf(thrown);
  const make = (name: string, message: string, hint?: string): SmtpFailure => ({
    error: new ToolError(name, message, hint === undefined ? {} : { hint }),
    reason,
    response,
  });
  const later = permanent === false ? LATER : undefined;
  if (code === "EAUTH")
    return make(
      "login_refused",
      `${server} refuses the login: ${reason}`,
      later ?? "the credential or the option user is wrong; only a person can mend that",
    );
  if (code === "ETLS" || NOT_TRUSTED.test(originalCode))
    return make(
      "not_secure",
      `no secure connection to ${server}: ${reason}`,
      "nothing was sent; see the options tls and ca",
    );
  if (response === undefined)
    return make("not_sent", `${server} cannot be reached or broke off: ${reason}`, "nothing was sent");
  if (command === "RCPT TO") {
    const all = (rejectedErrors ?? []).map((one) => `${one.recipient}: ${one.response}`).join("; ");
    return make(
      "recipient_refused",
      `${server} refuses every recipient: ${all === "" ? reason : all}`,
      later,
    );
  }
  if (command === "MAIL FROM")
    return make("sender_refused", `${server} refuses the sender: ${reason}`, later ?? "see the option from");
  return make("message_refused", `${server} refuses the message: ${reason}`, later);
}

/** For a message that was out when the connection ended. */
export const ambiguous = (reason: string, server: string): ToolError =>
  new ToolError(
    "maybe_sent",
    `the message was handed to ${server}, and no answer came: ${reason}. It may have been sent, or not`,
    { hint: "don't send it again; say so in your answer, so that a person can look" },
  );
