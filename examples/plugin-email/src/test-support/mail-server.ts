import { readFileSync } from "node:fs";
import type { AddressInfo } from "node:net";
import { buffer } from "node:stream/consumers";
import { SMTPServer, type SMTPServerOptions } from "smtp-server";

/** A message as a server got it. */
export interface Received {
  from: string;
  to: string[];
  user: string | undefined;
  secure: boolean;
  message: string;
}

export interface MailServer extends AsyncDisposable {
  readonly port: number;
  readonly received: readonly Received[];
  /** Connections so far. */
  readonly connections: () => number;
}

const fixture = (name: string): string =>
  readFileSync(new URL(`../../fixtures/${name}`, import.meta.url), "utf8");

/** The certificate of {@link mailServer}, for 127.0.0.1; it is its own authority. */
export const certificate = (): string => fixture("tls-cert.pem");

/** A server of the package smtp-server on 127.0.0.1. It takes what `options` doesn't refuse. */
export async function mailServer(options: SMTPServerOptions = {}): Promise<MailServer> {
  const received: Received[] = [];
  let connections = 0;
  const server = new SMTPServer({
    key: fixture("tls-key.pem"),
    cert: certificate(),
    authOptional: true,
    disableReverseLookup: true,
    closeTimeout: 1,
    onConnect: (_session, done) => {
      connections++;
      done();
    },
    onAuth: ({ username, password }, _session, done) =>
      password === "correct horse"
        ? done(null, { user: username })
        : done(failure(535, "Authentication failed")),
    onData: (stream, session, done) => {
      const { mailFrom, rcptTo } = session.envelope;
      const keep = (message: Buffer): void => {
        received.push({
          from: mailFrom === false ? "" : mailFrom.address,
          to: rcptTo.map(({ address }) => address),
          user: session.user,
          secure: session.secure,
          message: message.toString("utf8"),
        });
        done(null, "queued as 4711");
      };
      buffer(stream).then(keep, done);
    },
    ...options,
  });
  server.on("error", () => {});
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const { port } = server.server.address() as AddressInfo;
  return {
    port,
    received,
    connections: () => connections,
    [Symbol.asyncDispose]: () => new Promise((resolve) => server.close(() => resolve())),
  };
}

/** An answer of the server with this code. */
export const failure = (responseCode: number, message: string): Error =>
  Object.assign(new Error(message), { responseCode });
