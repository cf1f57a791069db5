import { z } from "zod";
import { isRecipient, parseAddress } from "./address.ts";

export interface EmailInput {
  to: string[];
  cc: string[];
  bcc: string[];
  subject: string;
  text: string;
}

/** Any control character: with a line break, a text would go on as a header of its own. */
const CONTROL = /\p{Cc}/u;
/** In a text, line breaks and tabs are as they should be. */
const CONTROL_IN_TEXT = /[^\P{Cc}\n\r\t]/u;
const HEADER = "a line break or control character is in it, which could add a header";
const MAX_TEXT = 200_000;

/**
 * What a call may say. Recipients and line breaks are judged here, with the arguments: a call to anybody else is
 * refused before a person is asked about it, and before anything connects.
 */
export function emailInput(
  recipients: readonly string[],
  maxRecipients: number,
): z.ZodType<EmailInput, object> {
  const allowed = recipients.join(", ");
  const problemOf = (text: string): string | undefined => {
    if (CONTROL.test(text)) return HEADER;
    const found = parseAddress(text);
    if (found === undefined)
      return 'it is no address: write ada@example.com or "Ada Lovelace <ada@example.com>"';
    if (isRecipient(found.address, recipients)) return undefined;
    return `${found.address} is not among the recipients that the config allows: ${allowed}`;
  };
  const mailbox = z.string().superRefine((text, ctx) => {
    const message = problemOf(text);
    if (message !== undefined) ctx.addIssue({ code: "custom", message });
  });
  const mailboxes = z.array(mailbox).max(maxRecipients);
  return z
    .object({
      to: mailboxes.min(1).describe(`Recipients: of ${allowed}`),
      cc: mailboxes.default([]).describe("Recipients of a copy"),
      bcc: mailboxes.default([]).describe("Recipients whom the others don't see"),
      subject: z
        .string()
        .min(1)
        .max(500)
        .refine((text) => !CONTROL.test(text), HEADER)
        .describe("One line"),
      text: z
        .string()
        .min(1)
        .max(MAX_TEXT)
        .refine((text) => !CONTROL_IN_TEXT.test(text), "a control character is in it")
        .describe("Plain text"),
    })
    .refine(({ to, cc, bcc }) => to.length + cc.length + bcc.length <= maxRecipients, {
      message: `more than ${maxRecipients} recipients in all`,
      path: ["to"],
    });
}
