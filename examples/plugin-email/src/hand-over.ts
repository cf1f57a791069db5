import { Readable } from "node:stream";
import SMTPConnection from "nodemailer/lib/smtp-connection";
import { ambiguous, smtpFailure } from "./smtp-failure.ts";

export interface Server {
  host: string;
  port: number;
  /** `starttls`: after the greeting, or not at all; `implicit`: from the first byte. */
  tls: "starttls" | "implicit" | "none";
  /** Certificates to trust instead of the usual authorities, as PEM. */
  ca?: string | undefined;
  login?: { user: string; pass: string };
}

/** Whom the server took, and whom it refused, in its own words. */
export interface Delivery {
  accepted: string[];
  refused: { address: string; reason: string }[];
  /** What it said to the message: often with the number that its log has. */
  response: string;
}

/**
 * Hands a message to an SMTP server, once. Throws a ToolError: with `maybe_sent` the whole message was out and no
 * answer came, so that nobody here knows; with every other code the server has not taken it.
 */
export async function handOver(
  server: Server,
  envelope: { from: string; to: string[] },
  message: Buffer,
  signal: AbortSignal,
): Promise<Delivery> {
  const { host, port, tls, ca, login } = server;
  const connection = new SMTPConnection({
    host,
    port,
    secure: tls === "implicit",
    ...(tls === "starttls" && { requireTLS: true }),
    ...(tls === "none" && { ignoreTLS: true }),
    ...(ca !== undefined && { tls: { ca } }),
  });
  const failed = Promise.withResolvers<never>();
  // It is awaited only by whoever waits for the server.
  failed.promise.catch(() => {});
  const onAbort = (): void => failed.reject(new Error("no answer in time"));
  signal.addEventListener("abort", onAbort);
  connection.on("error", failed.reject);
  connection.on("end", () => failed.reject(new Error("the connection was closed")));
  const step = <T>(begin: (done: (error?: Error | null, value?: T) => void) => void): Promise<T> =>
    Promise.race([
      failed.promise,
      new Promise<T>((resolve, reject) => {
        begin((error, value) => (error ? reject(error) : resolve(value as T)));
      }),
    ]);
  const body = Readable.from([message], { objectMode: false });
  let isOut = false;
  // It is read once the server has asked for the message; at its end the closing dot follows.
  body.on("end", () => (isOut = true));
  try {
    if (signal.aborted) onAbort();
    await step<void>((done) => connection.connect(done));
    if (login !== undefined) await step((done) => connection.login({ credentials: login }, done));
    const info = await step<SMTPConnection.SentMessageInfo>((done) => connection.send(envelope, body, done));
    connection.quit();
    const refused = (info.rejectedErrors ?? []).map(({ recipient, response, message: reason }) => ({
      address: recipient ?? "",
      reason: response ?? reason,
    }));
    return { accepted: info.accepted, refused, response: info.response };
  } catch (error) {
    const failure = smtpFailure(error, `${host}:${port}`);
    // An answer of the server settles it; without one, only a message that is not out whole is surely not sent.
    throw isOut && failure.response === undefined
      ? ambiguous(failure.reason, `${host}:${port}`)
      : failure.error;
  } finally {
    signal.removeEventListener("abort", onAbort);
    connection.close();
  }
}
