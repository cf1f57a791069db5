import { type ModelError } from "@toycoder/core";
import { expect, test } from "vitest";
import { openAiCompatible } from "./chat/model.ts";
import { ask } from "./test-support/ask.ts";
import { chatApi, localServer } from "./test-support/local-server.ts";

/** What a base URL comes to, without waiting between attempts; `attempts` counts them. */
async function askAt(baseURL: string): Promise<{ answer: string | ModelError; attempts: number }> {
  let attempts = 1;
  const sleep = (): Promise<void> => {
    attempts++;
    return Promise.resolve();
  };
  const model = openAiCompatible({ model: "m", baseURL, retries: { sleep, random: () => 0 } });
  return { answer: await ask(model), attempts };
}

test.each(["/v1", "/v1/", "/v1/chat/completions", "/v1/chat/completions/"])("%s works", async (path) => {
  await using local = await localServer(chatApi);
  expect((await askAt(`http://127.0.0.1:${local.port}${path}`)).answer).toBe("ok");
  expect(local.asked).toEqual(["/v1/chat/completions"]);
});

test.each([
  ["", "/v1"],
  ["/", "/v1"],
  ["/api", "/api/v1"],
])("a base URL that ends in %j is told to be tried with %s", async (path, better) => {
  await using local = await localServer(chatApi);
  const origin = `http://127.0.0.1:${local.port}`;
  const { answer, attempts } = await askAt(`${origin}${path}`);
  expect(answer).toMatchObject({
    kind: "invalid_request",
    message: expect.stringContaining(`the server at ${origin}`),
    hint: expect.stringContaining(`(so ${origin}${better})`),
  });
  expect((answer as ModelError).message).toContain("answered 404: 404 page not found");
  expect(attempts).toBe(1);
});

test("a wrong path below /v1 says what was asked, and that it may be the model's name", async () => {
  await using local = await localServer(chatApi);
  const url = `http://127.0.0.1:${local.port}/other/v1`;
  const { answer } = await askAt(url);
  expect(answer).toMatchObject({ message: expect.stringContaining(url) });
  expect((answer as ModelError).hint).toMatch(/^check the model's name and the base URL \(.*\/other\/v1\)/);
});

test.each([200, 404, 405])("a web page with status %d is a wrong address", async (status) => {
  const page = "<!DOCTYPE html><html><title>Admin</title></html>";
  await using local = await localServer((request, response) => {
    request.resume();
    response.writeHead(status, { "content-type": "text/html" }).end(page);
  });
  const origin = `http://127.0.0.1:${local.port}`;
  const { answer, attempts } = await askAt(origin);
  expect(answer).toMatchObject({ kind: "invalid_request", hint: expect.stringContaining(`so ${origin}/v1`) });
  expect((answer as ModelError).message).toMatch(new RegExp(`${origin}.* an HTML page: Admin`));
  expect(attempts).toBe(1);
});

test("https at an http port: try http, and no second attempt", async () => {
  await using local = await localServer(chatApi);
  const { answer, attempts } = await askAt(`https://127.0.0.1:${local.port}/v1`);
  expect(answer).toMatchObject({
    kind: "network",
    message: expect.stringContaining(`https://127.0.0.1:${local.port}/v1`),
    hint: `the server there speaks no https: try http://127.0.0.1:${local.port}/v1`,
  });
  expect(attempts).toBe(1);
});

test("http at an https port: try https", async () => {
  await using local = await localServer(chatApi, { tls: true });
  const { answer } = await askAt(`http://127.0.0.1:${local.port}/v1`);
  expect(answer).toMatchObject({
    kind: "network",
    hint: expect.stringContaining(`try https://127.0.0.1:${local.port}/v1`),
  });
});

test.each([
  "Client sent an HTTP request to an HTTPS server.",
  "<html><head><title>400 The plain HTTP request was sent to HTTPS port</title></head></html>",
])("http at a port that answers %j: try https", async (said) => {
  await using local = await localServer((request, response) => {
    request.resume();
    response.writeHead(400, { "content-type": said.startsWith("<") ? "text/html" : "text/plain" }).end(said);
  });
  const { answer } = await askAt(`http://127.0.0.1:${local.port}/v1`);
  expect((answer as ModelError).hint).toContain(`try https://127.0.0.1:${local.port}/v1`);
});

test("a certificate that nobody signed: NODE_EXTRA_CA_CERTS, and no second attempt", async () => {
  await using local = await localServer(chatApi, { tls: true });
  const { answer, attempts } = await askAt(`https://localhost:${local.port}/v1`);
  expect(answer).toMatchObject({
    message: `no answer from the server at https://localhost:${local.port}/v1: DEPTH_ZERO_SELF_SIGNED_CERT`,
    hint: expect.stringContaining("NODE_EXTRA_CA_CERTS"),
  });
  expect(attempts).toBe(1);
});

test("a closed port and an unknown host are the network's failure, tried again, with the address", async () => {
  const local = await localServer(chatApi);
  await local[Symbol.asyncDispose]();
  const closed = await askAt(`http://127.0.0.1:${local.port}/v1`);
  expect(closed).toMatchObject({
    answer: {
      kind: "network",
      message: `no answer from the server at http://127.0.0.1:${local.port}/v1: ECONNREFUSED`,
      hint: "check that the server is running and that the base URL is right",
    },
    attempts: 5,
  });
  // A label over 63 characters is no name: it is refused on this machine, without asking anybody.
  const host = `${"a".repeat(70)}.invalid`;
  const unknown = await askAt(`http://${host}/v1`);
  expect(unknown.answer).toMatchObject({
    kind: "network",
    message: expect.stringContaining(`http://${host}/v1`),
    hint: expect.stringMatching(/^no such host is known here/),
  });
});

test("a user and a password in a base URL are refused, and not shown", () => {
  const make = () => openAiCompatible({ model: "m", baseURL: "http://me:secret@127.0.0.1:1/v1" });
  expect(make).toThrow("the base URL http://127.0.0.1:1/v1 holds a user or a password");
});

test("secrets in headers and in the query of the base URL are not shown", async () => {
  await using local = await localServer((request, response) => {
    request.resume();
    const { authorization, "x-gateway": gateway, "x-team": team } = request.headers;
    response.writeHead(403, { "content-type": "application/json" });
    response.end(JSON.stringify({ error: { message: `${authorization} ${gateway} ${team} are wrong` } }));
  });
  const headers = {
    Authorization: "Token hunter2hunter2",
    "x-gateway": "0123456789abcdef0123456789",
    "x-team": "blue",
  };
  const baseURL = `http://127.0.0.1:${local.port}/v1?code=secret`;
  const answer = (await ask(openAiCompatible({ model: "m", baseURL, headers }))) as ModelError;
  expect(answer.message).toBe("the server answered 403: [key] [key] blue are wrong");
  expect(JSON.stringify([answer, answer.stack])).not.toMatch(/secret|hunter2|0123456789/);
});
