import { existsSync } from "node:fs";
import { runAgent, type RunResult } from "@toycoder/agent";
import type { Model } from "@toycoder/core";
import { writeFile } from "@toycoder/plugin-files";
import { anthropic } from "@toycoder/provider-anthropic";
import { openAiChat, openAiResponses } from "@toycoder/provider-openai";
import { fakeProvider, type Reply, reply, tempWorkspace, toolBench } from "@toycoder/testing";
import { expect, it } from "vitest";
import type { Answer } from "../test-support/answer.ts";
import { chatSse } from "../test-support/wire-chat.ts";
import { type Api, type Fault, faultBody, faultEvent } from "../test-support/wire-faults.ts";
import { messagesSse } from "../test-support/wire-messages.ts";
import { responsesSse } from "../test-support/wire-responses.ts";

// In this process, on the agent itself: the command has no setting for how long it waits for a retry.

const TURNS: readonly Answer[] = [
  { text: "I write it.", calls: [{ name: "write_file", arguments: { path: "a.txt", content: "new\n" } }] },
  { text: "Done." },
];

const RETRIES = { random: (): number => 0, sleep: (): Promise<void> => Promise.resolve() };
const settings = { model: "m", apiKey: "sk-test-0123456789", retries: RETRIES };

interface Protocol {
  make: (origin: string, more: { idleTimeoutMs?: number }) => Model;
  sse: (answer: Answer, turn: number) => string[];
}

const PROTOCOLS: Readonly<Record<Api, Protocol>> = {
  responses: {
    make: (origin, more) => openAiResponses({ ...settings, ...more, baseURL: `${origin}/v1` }),
    sse: responsesSse,
  },
  chat: {
    make: (origin, more) => openAiChat({ ...settings, ...more, baseURL: `${origin}/v1` }),
    sse: chatSse,
  },
  anthropic: {
    make: (origin, more) => anthropic({ ...settings, ...more, baseURL: origin }),
    sse: messagesSse,
  },
};
const APIS = Object.keys(PROTOCOLS) as Api[];

const turn = (api: Api, index: number): string[] => PROTOCOLS[api].sse(TURNS[index]!, index);

/** The events of the first turn up to the middle of its text, or of its call's arguments. */
function half(api: Api, place: "text" | "call"): string {
  const events = turn(api, 0);
  return events
    .slice(0, events.findIndex((event) => event.includes(place === "text" ? "I write" : "path")) + 1)
    .join("");
}

const status =
  (code: number, fault: Fault) =>
  (api: Api): Reply =>
    reply.status(code, faultBody(api, fault));
const within =
  (fault: Fault) =>
  (api: Api): Reply =>
    reply.raw(half(api, "call") + faultEvent(api, fault));

/** What goes wrong with the first request, or with all of them. */
const FAULTS: Readonly<Record<string, (api: Api) => Reply>> = {
  "before: connection closed": () => reply.close,
  "before: silence": () => reply.silence,
  "before: 400": status(400, "invalid"),
  "before: 400 context overflow": status(400, "overflow"),
  "before: 400 no credit": status(400, "quota"),
  "before: 401": status(401, "auth"),
  "before: 403": status(403, "auth"),
  "before: 404": status(404, "invalid"),
  "before: 408": status(408, "invalid"),
  "before: 413": status(413, "overflow"),
  "before: 422": status(422, "invalid"),
  "before: 429": status(429, "rate_limit"),
  "before: 429 no quota": status(429, "quota"),
  "before: 500": status(500, "server_error"),
  "before: 502 web page": () => reply.status(502, "<html><title>Bad Gateway</title></html>"),
  "before: 503": status(503, "overloaded"),
  "before: 529": status(529, "overloaded"),
  "before: 200 web page": () => reply.status(200, "<html><title>Log in</title></html>"),
  "before: 200 empty": () => reply.raw(""),
  "before: 200 half JSON": () => reply.raw('{"id":"x","ou', "clean", "application/json"),
  "before: 200 error body": (api) => reply.json(faultBody(api, "overloaded")),
  "within: reset in the text": (api) => reply.raw(half(api, "text"), "reset"),
  "within: reset in a call": (api) => reply.raw(half(api, "call"), "reset"),
  "within: end in the text": (api) => reply.raw(half(api, "text")),
  "within: end in a call": (api) => reply.raw(half(api, "call")),
  "within: silence": (api) => reply.raw(half(api, "call"), "open"),
  "within: half an event": (api) => reply.raw(`${half(api, "call")}data: {"typ\n\n`),
  "within: error overloaded": within("overloaded"),
  "within: error rate limit": within("rate_limit"),
  "within: error server": within("server_error"),
  "within: error no quota": within("quota"),
  "within: error invalid": within("invalid"),
  "within: error key": within("auth"),
  "within: error overflow": within("overflow"),
};

/** One run of the task under a fault, in a word for its outcome and three numbers. */
async function runUnder(name: string, api: Api, times: "once" | "ever"): Promise<string> {
  const fault = FAULTS[name]!(api);
  const good = [0, 1].map((index) => reply.raw(turn(api, index).join("")));
  await using server = await fakeProvider(...(times === "once" ? [fault, ...good] : [fault]));
  using folder = tempWorkspace();
  const model = PROTOCOLS[api].make(server.url, name.endsWith("silence") ? { idleTimeoutMs: 700 } : {});
  const { session } = toolBench([writeFile], { root: folder.root });
  let retries = 0;
  let result: RunResult | undefined;
  for await (const event of runAgent({ model, session, task: "Write a.txt.", instructions: "Be brief." })) {
    if (event.type === "retry") retries++;
    if (event.type === "result") result = event.result;
  }
  const { status: outcome, error, exitCode, toolCalls } = result!;
  const completed = outcome === "completed";
  expect({ toolCalls, written: existsSync(folder.path("a.txt")) }).toEqual({
    toolCalls: completed ? 1 : 0,
    written: completed,
  });
  expect(completed ? 2 : 1).toBe(server.requests.length - retries);
  return `${error?.code ?? outcome} ${exitCode} ${server.requests.length} ${retries}`;
}

it("ends every run as it should: outcome, exit code, requests, retries", async () => {
  const rows = [["fault", "times", ...APIS]];
  for (const name of Object.keys(FAULTS)) {
    const cells = await Promise.all(
      (["once", "ever"] as const).map((times) =>
        Promise.all(APIS.map((api) => runUnder(name, api, times))).then((row) => [name, times, ...row]),
      ),
    );
    rows.push(...cells);
  }
  const widths = rows[0]!.map((_, column) => Math.max(...rows.map((row) => row[column]!.length)));
  const table = rows
    .map((row) =>
      row
        .map((cell, column) => cell.padEnd(widths[column]!))
        .join("  ")
        .trimEnd(),
    )
    .join("\n");
  console.info(table);
  expect(table).toMatchInlineSnapshot(`
    "fault                         times  responses               chat                    anthropic
    before: connection closed     once   completed 0 3 1         completed 0 3 1         completed 0 3 1
    before: connection closed     ever   network 4 5 4           network 4 5 4           network 4 5 4
    before: silence               once   completed 0 3 1         completed 0 3 1         completed 0 3 1
    before: silence               ever   network 4 5 4           network 4 5 4           network 4 5 4
    before: 400                   once   invalid_request 4 1 0   invalid_request 4 1 0   invalid_request 4 1 0
    before: 400                   ever   invalid_request 4 1 0   invalid_request 4 1 0   invalid_request 4 1 0
    before: 400 context overflow  once   context_overflow 4 1 0  context_overflow 4 1 0  context_overflow 4 1 0
    before: 400 context overflow  ever   context_overflow 4 1 0  context_overflow 4 1 0  context_overflow 4 1 0
    before: 400 no credit         once   rate_limit 4 1 0        rate_limit 4 1 0        rate_limit 4 1 0
    before: 400 no credit         ever   rate_limit 4 1 0        rate_limit 4 1 0        rate_limit 4 1 0
    before: 401                   once   auth 4 1 0              auth 4 1 0              auth 4 1 0
    before: 401                   ever   auth 4 1 0              auth 4 1 0              auth 4 1 0
    before: 403                   once   auth 4 1 0              auth 4 1 0              auth 4 1 0
    before: 403                   ever   auth 4 1 0              auth 4 1 0              auth 4 1 0
    before: 404                   once   invalid_request 4 1 0   invalid_request 4 1 0   invalid_request 4 1 0
    before: 404                   ever   invalid_request 4 1 0   invalid_request 4 1 0   invalid_request 4 1 0
    before: 408                   once   completed 0 3 1         completed 0 3 1         completed 0 3 1
    before: 408                   ever   network 4 5 4           network 4 5 4           network 4 5 4
    before: 413                   once   context_overflow 4 1 0  context_overflow 4 1 0  context_overflow 4 1 0
    before: 413                   ever   context_overflow 4 1 0  context_overflow 4 1 0  context_overflow 4 1 0
    before: 422                   once   invalid_request 4 1 0   invalid_request 4 1 0   invalid_request 4 1 0
    before: 422                   ever   invalid_request 4 1 0   invalid_request 4 1 0   invalid_request 4 1 0
    before: 429                   once   completed 0 3 1         completed 0 3 1         completed 0 3 1
    before: 429                   ever   rate_limit 4 5 4        rate_limit 4 5 4        rate_limit 4 5 4
    before: 429 no quota          once   rate_limit 4 1 0        rate_limit 4 1 0        rate_limit 4 1 0
    before: 429 no quota          ever   rate_limit 4 1 0        rate_limit 4 1 0        rate_limit 4 1 0
    before: 500                   once   completed 0 3 1         completed 0 3 1         completed 0 3 1
    before: 500                   ever   overloaded 4 5 4        overloaded 4 5 4        overloaded 4 5 4
    before: 502 web page          once   completed 0 3 1         completed 0 3 1         completed 0 3 1
    before: 502 web page          ever   overloaded 4 5 4        overloaded 4 5 4        overloaded 4 5 4
    before: 503                   once   completed 0 3 1         completed 0 3 1         completed 0 3 1
    before: 503                   ever   overloaded 4 5 4        overloaded 4 5 4        overloaded 4 5 4
    before: 529                   once   completed 0 3 1         completed 0 3 1         completed 0 3 1
    before: 529                   ever   overloaded 4 5 4        overloaded 4 5 4        overloaded 4 5 4
    before: 200 web page          once   invalid_request 4 1 0   invalid_request 4 1 0   invalid_request 4 1 0
    before: 200 web page          ever   invalid_request 4 1 0   invalid_request 4 1 0   invalid_request 4 1 0
    before: 200 empty             once   completed 0 3 1         completed 0 3 1         completed 0 3 1
    before: 200 empty             ever   network 4 5 4           network 4 5 4           network 4 5 4
    before: 200 half JSON         once   completed 0 3 1         completed 0 3 1         completed 0 3 1
    before: 200 half JSON         ever   network 4 5 4           network 4 5 4           network 4 5 4
    before: 200 error body        once   completed 0 3 1         completed 0 3 1         completed 0 3 1
    before: 200 error body        ever   overloaded 4 5 4        overloaded 4 5 4        overloaded 4 5 4
    within: reset in the text     once   completed 0 3 1         completed 0 3 1         completed 0 3 1
    within: reset in the text     ever   network 4 5 4           network 4 5 4           network 4 5 4
    within: reset in a call       once   completed 0 3 1         completed 0 3 1         completed 0 3 1
    within: reset in a call       ever   network 4 5 4           network 4 5 4           network 4 5 4
    within: end in the text       once   completed 0 3 1         completed 0 3 1         completed 0 3 1
    within: end in the text       ever   network 4 5 4           network 4 5 4           network 4 5 4
    within: end in a call         once   completed 0 3 1         completed 0 3 1         completed 0 3 1
    within: end in a call         ever   network 4 5 4           network 4 5 4           network 4 5 4
    within: silence               once   completed 0 3 1         completed 0 3 1         completed 0 3 1
    within: silence               ever   network 4 5 4           network 4 5 4           network 4 5 4
    within: half an event         once   completed 0 3 1         completed 0 3 1         completed 0 3 1
    within: half an event         ever   network 4 5 4           network 4 5 4           network 4 5 4
    within: error overloaded      once   completed 0 3 1         completed 0 3 1         completed 0 3 1
    within: error overloaded      ever   overloaded 4 5 4        overloaded 4 5 4        overloaded 4 5 4
    within: error rate limit      once   completed 0 3 1         completed 0 3 1         completed 0 3 1
    within: error rate limit      ever   rate_limit 4 5 4        rate_limit 4 5 4        rate_limit 4 5 4
    within: error server          once   completed 0 3 1         completed 0 3 1         completed 0 3 1
    within: error server          ever   overloaded 4 5 4        overloaded 4 5 4        overloaded 4 5 4
    within: error no quota        once   rate_limit 4 1 0        rate_limit 4 1 0        rate_limit 4 1 0
    within: error no quota        ever   rate_limit 4 1 0        rate_limit 4 1 0        rate_limit 4 1 0
    within: error invalid         once   invalid_request 4 1 0   invalid_request 4 1 0   invalid_request 4 1 0
    within: error invalid         ever   invalid_request 4 1 0   invalid_request 4 1 0   invalid_request 4 1 0
    within: error key             once   auth 4 1 0              auth 4 1 0              auth 4 1 0
    within: error key             ever   auth 4 1 0              auth 4 1 0              auth 4 1 0
    within: error overflow        once   context_overflow 4 1 0  context_overflow 4 1 0  context_overflow 4 1 0
    within: error overflow        ever   context_overflow 4 1 0  context_overflow 4 1 0  context_overflow 4 1 0"
  `);
}, 60_000);
