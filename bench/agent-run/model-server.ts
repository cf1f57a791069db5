// A scripted model in a process of its own, so that its work isn't counted as an agent's. Forked by start-server.ts.
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import process from "node:process";
import { text } from "node:stream/consumers";
import type { Answer } from "../../apps/cli/src/test-support/answer.ts";
import { chatSse } from "../../apps/cli/src/test-support/wire-chat.ts";
import { messagesSse } from "../../apps/cli/src/test-support/wire-messages.ts";
import { responsesSse } from "../../apps/cli/src/test-support/wire-responses.ts";

/** The three APIs, by the last part of their path. */
export type Api = "chat" | "responses" | "messages";

/** One request: when it came in and when the answer was out, in ms of the machine's clock, and its size. */
export interface Request {
  at: number;
  end: number;
  bytes: number;
}

export interface Played {
  requests: Request[];
  firstBody: string;
  /** The whole conversation. */
  lastBody: string;
}

/** What the parent says: play these answers next, or tell what was asked since. */
export type Order = { api: Api; answers: readonly Answer[] } | "collect";

const WIRES: Readonly<Record<Api, (answer: Answer, turn: number) => string[]>> = {
  chat: chatSse,
  responses: responsesSse,
  messages: messagesSse,
};
const now = (): number => Number(process.hrtime.bigint()) / 1e6;

let answers: Buffer[] = [];
let played: Played = { requests: [], firstBody: "", lastBody: "" };

const server = createServer((request, response) => {
  const at = now();
  void text(request).then((body) => {
    const answer = answers[played.requests.length];
    const noted: Request = { at, end: Number.NaN, bytes: Buffer.byteLength(body) };
    played.requests.push(noted);
    played.firstBody ||= body;
    played.lastBody = body;
    response.once("finish", () => (noted.end = now()));
    if (answer === undefined) return void response.writeHead(400).end("the script has no further answer");
    response.writeHead(200, { "content-type": "text/event-stream" }).end(answer);
  });
});
server.keepAliveTimeout = 60_000;

process.on("message", (order: Order) => {
  if (order === "collect") {
    process.send?.(played);
  } else {
    // Encoded beforehand: an answer costs no more than to send it.
    answers = order.answers.map((answer, turn) => Buffer.from(WIRES[order.api](answer, turn).join("")));
    played = { requests: [], firstBody: "", lastBody: "" };
    process.send?.("ready");
  }
});
process.on("disconnect", () => process.exit());
server.listen(0, "127.0.0.1", () => process.send?.((server.address() as AddressInfo).port));
