import { createServer } from "node:net";
import type { AddressInfo, Socket } from "node:net";
import { textOf } from "@toycoder/core";
import { tempWorkspace, toolBench, type ToolBench, type ToolBenchOptions } from "@toycoder/testing";
import { afterAll, beforeAll, expect, test } from "vitest";
import { handOver } from "./hand-over.ts";
import { type EmailSettings, makeSendEmail } from "./send-email.ts";
import { certificate, failure, mailServer, type MailServer } from "./test-support/mail-server.ts";

const workspace = tempWorkspace();
let server: MailServer;
beforeAll(async () => {
  server = await mailServer();
});
afterAll(async () => {
  workspace.dispose();
  await server[Symbol.asyncDispose]();
});

const settings = (more: Partial<EmailSettings> = {}): EmailSettings => ({
  host: "127.0.0.1",
  port: server.port,
  tls: "starttls",
  ca: certificate(),
  from: "CI <ci@example.com>",
  recipients: ["*@example.com", "ada@example.org"],
  maxRecipients: 3,
  credential: "SMTP_PASSWORD",
  dryRun: false,
  timeoutSeconds: 20,
  ...more,
});

const bench = (more: Partial<EmailSettings> = {}, options: Partial<ToolBenchOptions> = {}): ToolBench =>
  toolBench([makeSendEmail(settings(more))], { root: workspace.root, ...options });

const MAIL = { to: ["bob@example.com"], subject: "Build 12 failed", text: "See the log.\n" };

async function send(args: Record<string, unknown>, ...rest: Parameters<typeof bench>): Promise<string> {
  return textOf((await bench(...rest).call("send_email", { ...MAIL, ...args })).content);
}

/** What the shared server got by one call. */
async function receivedBy(
  call: () => Promise<string>,
): Promise<{ said: string; got: MailServer["received"] }> {
  const before = server.received.length;
  const said = await call();
  return { said, got: server.received.slice(before) };
}

test("a message arrives over TLS as it was written, with its recipients and the config's sender", async () => {
  const { said, got } = await receivedBy(() =>
    send({
      to: ["Bob <bob@example.com>"],
      cc: ["ada@example.org"],
      bcc: ["Eve@Example.com"],
      subject: "Größe: 12 µm ✓",
      text: "first\n.second begins with a dot\nFrom here on\n",
    }),
  );
  expect(said).toBe(
    "Sent to bob@example.com, ada@example.org, Eve@Example.com. The server said: 250 queued as 4711",
  );
  expect(got).toHaveLength(1);
  expect(got[0]).toMatchObject({
    from: "ci@example.com",
    to: ["bob@example.com", "ada@example.org", "Eve@Example.com"],
    secure: true,
  });
  const { message = "" } = got[0] ?? {};
  expect(message).toMatch(
    /^From: CI <ci@example\.com>\r\nTo: Bob <bob@example\.com>\r\nCc: ada@example\.org\r\n/,
  );
  expect(message).toMatch(/^Subject: =\?UTF-8\?/m);
  expect(message).toMatch(/\r\n\r\nfirst\r\n\.second begins with a dot\r\nFrom here on\r\n$/);
  expect(message).not.toMatch(/eve@/i);
});

test("TLS from the first byte", async () => {
  await using implicit = await mailServer({ secure: true });
  expect(await send({}, { port: implicit.port, tls: "implicit" })).toMatch(/^Sent to/);
  expect(implicit.received[0]?.secure).toBe(true);
});

test("a certificate that nobody vouches for, and a server without TLS, get no message", async () => {
  const { said, got } = await receivedBy(() => send({}, { ca: undefined }));
  expect(said).toContain("Error (not_secure)");
  expect(got).toEqual([]);
  await using plain = await mailServer({ disabledCommands: ["STARTTLS"] });
  expect(await send({}, { port: plain.port })).toContain("Error (not_secure)");
  expect(await send({}, { port: plain.port, tls: "none" })).toMatch(/^Sent to/);
  expect(plain.received).toHaveLength(1);
});

test("it logs in with a credential, which is in no result", async () => {
  const login = { user: "ci" };
  expect(await send({}, login)).toContain(
    "Error (auth_missing): send_email needs the credential SMTP_PASSWORD",
  );
  const good = { credentials: { SMTP_PASSWORD: "correct horse" } };
  const { got } = await receivedBy(() => send({}, login, good));
  expect(got[0]?.user).toBe("ci");
  const said = await send({}, login, { credentials: { SMTP_PASSWORD: "battery staple" } });
  expect(said).toMatch(/Error \(login_refused\).*535 Authentication failed\nHint: the credential/);
  expect(said).not.toContain("battery");
});

test.each([
  ["to[0]", { to: ["eve@evil.example"] }, "eve@evil.example is not among the recipients"],
  ["to[1]", { to: ["bob@example.com", "bob@example.com.evil.example"] }, "is not among the recipients"],
  ["cc[0]", { cc: ["ada@sub.example.com"] }, "is not among the recipients"],
  ["bcc[0]", { bcc: ["bob@еxample.com"] }, "it is no address"],
  ["to[0]", { to: ["bob@example.com, eve@evil.example"] }, "it is no address"],
  ["to[0]", { to: ["<bob@example.com> <eve@evil.example>"] }, "it is no address"],
  ["to[0]", { to: ["bob@example.com\r\nBcc: eve@evil.example"] }, "could add a header"],
  ["to[0]", { to: ["Bob\nBcc: eve@evil.example <bob@example.com>"] }, "could add a header"],
  ["subject", { subject: "Hello\r\nBcc: eve@evil.example" }, "could add a header"],
  ["subject", { subject: "Hello\u0000" }, "could add a header"],
  ["text", { text: "a\u0007" }, "a control character"],
  ["to", { to: [] }, "to"],
  [
    "to",
    { to: ["a@example.com", "b@example.com"], cc: ["c@example.com", "d@example.com"] },
    "more than 3 recipients",
  ],
  ["from", { from: "boss@example.com" }, "from: unknown key"],
])("refused before anything connects: %s %j", async (path, args, says) => {
  const before = server.connections();
  const result = await bench().call("send_email", { ...MAIL, ...args });
  expect(result).toMatchObject({ ok: false, error: { code: "invalid_arguments" } });
  expect(textOf(result.content)).toContain(`: ${path}`);
  expect(textOf(result.content)).toContain(says);
  expect(server.connections()).toBe(before);
});

test("a person is asked, and a rule for the host decides", async () => {
  const before = server.connections();
  const call = (policy: { allow?: string[]; deny?: string[] }) =>
    bench({}, { policy }).call("send_email", MAIL);
  expect(await call({})).toMatchObject({ error: { code: "approval_required" } });
  expect(await call({ allow: ["send_email"], deny: ["net:127.0.0.1"] })).toMatchObject({
    error: { code: "permission_denied" },
  });
  expect(server.connections()).toBe(before);
  expect(await call({ allow: ["send_email(127.0.0.1)"] })).toMatchObject({ ok: true });
});

test("a dry run gives the message and connects to nobody", async () => {
  const before = server.connections();
  const said = await send(
    { bcc: ["ada@example.org"] },
    { dryRun: true, user: "ci" },
    { credentials: { SMTP_PASSWORD: "x" } },
  );
  expect(said).toMatch(
    /^A dry run: nothing was sent\. To bob@example\.com, ada@example\.org it would be:\n\nFrom: CI/,
  );
  expect(said).toContain("Subject: Build 12 failed\r\n");
  expect(server.connections()).toBe(before);
});

test("what the server refuses is told in its words, and may be tried again", async () => {
  let refusal = failure(550, "No such mailbox");
  await using picky = await mailServer({
    onMailFrom: (_address, _session, done) => done(refusal.message === "Not you" ? refusal : undefined),
    onRcptTo: ({ address }, _session, done) => done(address.startsWith("bob") ? refusal : undefined),
  });
  const { call } = bench({ port: picky.port });
  const say = async (args: object = {}): Promise<string> =>
    textOf((await call("send_email", { ...MAIL, ...args })).content);
  expect(await say()).toMatch(/Error \(recipient_refused\).*bob@example\.com: 550 No such mailbox$/);
  refusal = failure(450, "Mailbox busy");
  expect(await say()).toMatch(
    /Error \(recipient_refused\).*450 Mailbox busy\nHint: the server says that this may pass/,
  );
  refusal = failure(553, "Not you");
  expect(await say()).toMatch(/Error \(sender_refused\).*553 Not you\nHint: see the option from/);
  refusal = failure(550, "No such mailbox");
  expect(await say({ to: ["bob@example.com", "ada@example.org"] })).toBe(
    "Sent to ada@example.org. The server said: 250 queued as 4711\nNOT sent to bob@example.com: 550 No such mailbox",
  );
});

test("a message that the server refuses whole", async () => {
  await using picky = await mailServer({
    onData: (stream, _session, done) => {
      stream.resume();
      stream.on("end", () => done(failure(554, "It looks like spam")));
    },
  });
  const { call } = bench({ port: picky.port });
  for (const _ of [1, 2])
    expect(textOf((await call("send_email", MAIL)).content)).toMatch(
      /Error \(message_refused\).*554 It looks like spam$/,
    );
});

test("where nobody listens, nothing was sent", async () => {
  const gone = await mailServer();
  await gone[Symbol.asyncDispose]();
  expect(await send({}, { port: gone.port })).toMatch(
    /Error \(not_sent\).*ECONNREFUSED.*\nHint: nothing was sent/,
  );
});

test("the same message goes out once in a session, side by side as well", async () => {
  const { call } = bench();
  const before = server.received.length;
  const [first, second] = await Promise.all([call("send_email", MAIL), call("send_email", MAIL)]);
  expect(first).toMatchObject({ ok: true });
  expect(second).toMatchObject({ ok: false, error: { code: "already_sent" } });
  expect(await call("send_email", MAIL)).toMatchObject({
    error: { message: /was sent in this session already|was sent/ },
  });
  expect(await call("send_email", { ...MAIL, text: "Another." })).toMatchObject({ ok: true });
  expect(server.received.length - before).toBe(2);
});

/** A server that speaks SMTP up to the message's end and then does `last`; `atData` in the place of asking for it. */
async function brokenServer(
  last: (socket: Socket) => void,
  atData?: (socket: Socket) => void,
): Promise<AsyncDisposable & { port: number }> {
  const sockets = new Set<Socket>();
  const broken = createServer((socket) => {
    sockets.add(socket);
    socket.on("error", () => {});
    socket.write("220 broken\r\n");
    let text = "";
    socket.on("data", (chunk) => {
      text += chunk.toString();
      if (text.includes("\r\n.\r\n")) last(socket);
      else if (/^DATA/m.test(text)) {
        if (atData !== undefined) atData(socket);
        else if (text.endsWith("DATA\r\n")) socket.write("354 go on\r\n");
      } else socket.write("250 ok\r\n");
    });
  });
  await new Promise<void>((resolve) => broken.listen(0, "127.0.0.1", resolve));
  return {
    port: (broken.address() as AddressInfo).port,
    [Symbol.asyncDispose]: async () => {
      for (const socket of sockets) socket.destroy();
      await new Promise((resolve) => broken.close(resolve));
    },
  };
}

test("without an answer to the whole message it says that it may be out, and doesn't repeat it", async () => {
  await using broken = await brokenServer((socket) => socket.destroy());
  const { call } = bench({ port: broken.port, tls: "none" });
  const said = textOf((await call("send_email", MAIL)).content);
  expect(said).toMatch(/Error \(maybe_sent\).*It may have been sent, or not\nHint: don't send it again/);
  expect(await call("send_email", MAIL)).toMatchObject({ error: { code: "already_sent" } });
});

test("a server that never answers the message: at the time limit it is the same", async () => {
  const limit = new AbortController();
  await using silent = await brokenServer(() => limit.abort());
  const to = { host: "127.0.0.1", port: silent.port, tls: "none" } as const;
  const envelope = { from: "ci@example.com", to: ["bob@example.com"] };
  await expect(
    handOver(to, envelope, Buffer.from("Subject: a\r\n\r\nb\r\n"), limit.signal),
  ).rejects.toMatchObject({
    code: "maybe_sent",
    message: expect.stringContaining("no answer in time") as string,
  });
});

test("a connection that ends before the message is out has sent nothing", async () => {
  await using broken = await brokenServer(
    () => {},
    (socket) => socket.destroy(),
  );
  const { call } = bench({ port: broken.port, tls: "none" });
  for (const _ of [1, 2])
    expect(textOf((await call("send_email", MAIL)).content)).toMatch(
      /Error \(not_sent\)[^]*nothing was sent/,
    );
});
