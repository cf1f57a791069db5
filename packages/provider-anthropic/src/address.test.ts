import { createServer, type Server } from "node:http";
import { type AddressInfo, connect, type Socket } from "node:net";
import { isModelError, type ModelError } from "@toycoder/core";
import type { ModelSettings } from "@toycoder/core/wire";
import { afterAll, afterEach, beforeAll, beforeEach, expect, test, vi } from "vitest";
import { anthropic } from "./model.ts";

const MESSAGE = {
  id: "msg_1",
  type: "message",
  role: "assistant",
  model: "m",
  content: [{ type: "text", text: "ok" }],
  stop_reason: "end_turn",
  usage: { input_tokens: 1, output_tokens: 1 },
};

/** Answers below /v1/messages, and is a proxy that leads every tunnel to itself. */
let server: Server;
let port: number;
const tunnels: string[] = [];
const sockets = new Set<Socket>();

beforeAll(async () => {
  server = createServer((request, response) => {
    request.resume();
    if (request.url !== "/v1/messages") return void response.writeHead(404).end("404 page not found");
    response.writeHead(200, { "content-type": "application/json" }).end(JSON.stringify(MESSAGE));
  });
  server.on("connection", (socket: Socket) => sockets.add(socket));
  server.on("connect", (request, client: Socket) => {
    tunnels.push(String(request.url));
    if (request.headers["proxy-authorization"] === undefined)
      return void client.end("HTTP/1.1 407 No\r\n\r\n");
    const target = connect(port, "127.0.0.1", () => {
      client.write("HTTP/1.1 200 OK\r\n\r\n");
      target.pipe(client).pipe(target);
    });
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  port = (server.address() as AddressInfo).port;
});
afterAll(async () => {
  for (const socket of sockets) socket.destroy();
  await new Promise((resolve) => server.close(resolve));
});
beforeEach(() => {
  tunnels.length = 0;
  for (const name of ["HTTP_PROXY", "HTTPS_PROXY", "NO_PROXY", "http_proxy", "https_proxy", "no_proxy"])
    vi.stubEnv(name, "");
});
afterEach(() => vi.unstubAllEnvs());

async function ask(settings: Partial<ModelSettings>): Promise<string | ModelError> {
  let said = "";
  const model = anthropic({ model: "m", apiKey: "k", retries: 0, ...settings });
  const request = {
    instructions: "",
    messages: [{ role: "user" as const, content: [{ type: "text" as const, text: "hi" }] }],
    tools: [],
  };
  try {
    for await (const event of model.stream(request, { signal: new AbortController().signal }))
      if (event.type === "text") said += event.text;
    return said;
  } catch (thrown) {
    if (isModelError(thrown)) return thrown;
    throw thrown;
  }
}

test.each(["", "/", "/v1", "/v1/", "/v1/messages"])("a base URL that ends in %j works", async (ending) => {
  expect(await ask({ baseURL: `http://127.0.0.1:${port}${ending}` })).toBe("ok");
  expect(tunnels).toEqual([]);
});

test("a wrong path says what was asked and what to try", async () => {
  const answer = await ask({ baseURL: `http://127.0.0.1:${port}/api` });
  expect(answer).toMatchObject({
    kind: "invalid_request",
    message: expect.stringContaining(`Anthropic at http://127.0.0.1:${port}/api answered 404`),
    hint: expect.stringContaining("Anthropic's without it"),
  });
});

test("https at an http port: try http", async () => {
  const answer = await ask({ baseURL: `https://127.0.0.1:${port}` });
  expect((answer as ModelError).hint).toContain(`try http://127.0.0.1:${port}`);
});

test("what is no address is refused when the model is made", () => {
  expect(() => anthropic({ model: "m", baseURL: "localhost:1" })).toThrow(
    expect.objectContaining({ code: "invalid_model", hint: "write it whole, as in http://localhost:1" }),
  );
});

test("HTTP_PROXY is the way, and a proxy that wants a user says so", async () => {
  vi.stubEnv("HTTP_PROXY", `http://me:pass-word-42@127.0.0.1:${port}`);
  expect(await ask({ baseURL: "http://model.test:8000" })).toBe("ok");
  expect(tunnels).toEqual(["model.test:8000"]);
  vi.stubEnv("HTTP_PROXY", `http://127.0.0.1:${port}`);
  expect(await ask({ baseURL: "http://model.test:8000" })).toMatchObject({
    kind: "auth",
    message: `the proxy at http://127.0.0.1:${port}/ refused the way to model.test:8000: 407`,
  });
});
