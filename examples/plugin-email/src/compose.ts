import MailComposer from "nodemailer/lib/mail-composer";
import type { Address } from "./address.ts";

export interface Email {
  from: Address;
  to: Address[];
  cc: Address[];
  bcc: Address[];
  subject: string;
  text: string;
}

/** The message as it goes over the wire; of `bcc` it says nothing. */
export async function compose({ from, to, cc, subject, text }: Email): Promise<Buffer> {
  const composer = new MailComposer({
    from,
    to,
    cc,
    subject,
    text,
    newline: "\r\n",
    // Nothing here is a path or an address to fetch, and nothing becomes one.
    disableFileAccess: true,
    disableUrlAccess: true,
  });
  return await composer.compile().build();
}
