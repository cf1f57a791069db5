import { execFile } from "node:child_process";
import { promisify } from "node:util";
import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import type { ModelError } from "@toycoder/core";
import { openAiCompatible } from "./chat/model.ts";
import { ask } from "./test-support/ask.ts";
import { CERTIFICATE, chatApi, localServer } from "./test-support/local-server.ts";
import { proxyServer } from "./test-support/proxy-server.ts";

const VARIABLES = ["HTTP_PROXY", "HTTPS_PROXY", "NO_PROXY", "http_proxy", "https_proxy", "no_proxy"];
beforeEach(() => {
  for (const name of VARIABLES) vi.stubEnv(name, "");
});
afterEach(() => vi.unstubAllEnvs());

const askAt = (host: string, port: number): ReturnType<typeof ask> =>
  ask(openAiCompatible({ model: "m", baseURL: `http://${host}:${port}/v1`, retries: 0 }));

test.each(["HTTP_PROXY", "http_proxy"])("%s is the way to an http server", async (variable) => {
  await using local = await localServer(chatApi);
  await using proxy = await proxyServer();
  vi.stubEnv(variable, proxy.url);
  expect(await askAt("model.test", local.port)).toBe("ok");
  expect(proxy.asked).toEqual([`CONNECT model.test:${local.port}`]);
});

test("a variable without a scheme means an http proxy", async () => {
  await using local = await localServer(chatApi);
  await using proxy = await proxyServer();
  vi.stubEnv("HTTP_PROXY", proxy.url.replace("http://", ""));
  expect(await askAt("model.test", local.port)).toBe("ok");
  expect(proxy.asked).toHaveLength(1);
});

describe("no proxy is used", () => {
  test.each([
    ["NO_PROXY", "example.com,127.0.0.2"],
    ["no_proxy", "127.0.0.2"],
    ["NO_PROXY", "*"],
  ])("for a host of %s=%s", async (variable, value) => {
    await using local = await localServer(chatApi, { host: "127.0.0.2" });
    await using proxy = await proxyServer();
    vi.stubEnv("HTTP_PROXY", proxy.url);
    expect(await askAt("127.0.0.2", local.port)).toBe("ok");
    expect(proxy.asked).toHaveLength(1);
    vi.stubEnv(variable, value);
    expect(await askAt("127.0.0.2", local.port)).toBe("ok");
    expect(proxy.asked).toHaveLength(1);
  });

  test.each(["127.0.0.1", "localhost"])("for %s, whatever the variables say", async (host) => {
    await using local = await localServer(chatApi);
    await using proxy = await proxyServer();
    vi.stubEnv("HTTP_PROXY", proxy.url);
    expect(await askAt(host, local.port)).toBe("ok");
    expect(proxy.asked).toHaveLength(0);
  });
});

test("a proxy that wants a user says so, without a second attempt and without showing a password", async () => {
  await using proxy = await proxyServer();
  vi.stubEnv("HTTP_PROXY", proxy.url.replace("pass-word-42", "wrong-word-1"));
  const model = openAiCompatible({ model: "m", baseURL: "http://model.test:8000/v1" });
  const answer = (await ask(model)) as ModelError;
  expect(answer).toMatchObject({
    kind: "auth",
    status: 407,
    message: `the proxy at http://127.0.0.1:${proxy.port}/ refused the way to model.test:8000: 407`,
    hint: expect.stringContaining("wants a user and a password"),
  });
  expect(JSON.stringify([answer, answer.stack, answer.cause])).not.toContain("wrong-word-1");
  expect(proxy.asked).toHaveLength(1);
});

test.each([
  [403, "auth", 1],
  [502, "network", 3],
])("a proxy's %d is of kind %s", async (refuse, kind, attempts) => {
  await using proxy = await proxyServer({ refuse });
  vi.stubEnv("HTTP_PROXY", proxy.url);
  const retries = { retries: 2, sleep: () => Promise.resolve() };
  const answer = await ask(openAiCompatible({ model: "m", baseURL: "http://model.test/v1", retries }));
  expect(answer).toMatchObject({
    kind,
    message: `the proxy at http://127.0.0.1:${proxy.port}/ refused the way to model.test: ${refuse}`,
    hint: "let the proxy allow model.test, or add it to NO_PROXY where it can be reached without",
  });
  expect(proxy.asked).toHaveLength(attempts);
});

test("a proxy that isn't there is named, not the server behind it", async () => {
  const proxy = await proxyServer();
  await proxy[Symbol.asyncDispose]();
  vi.stubEnv("HTTP_PROXY", proxy.url);
  expect(await askAt("model.test", 8000)).toMatchObject({
    kind: "network",
    message: `no answer from the proxy at http://127.0.0.1:${proxy.port}/: ECONNREFUSED`,
  });
});

test.each(["not an address", "ftp://127.0.0.1:1"])("HTTP_PROXY=%s is refused by name", async (value) => {
  vi.stubEnv("HTTP_PROXY", value);
  expect(await askAt("model.test", 8000)).toMatchObject({
    kind: "invalid_request",
    message: "HTTP_PROXY holds no address of an http or https proxy",
  });
});

// Node reads NODE_EXTRA_CA_CERTS when it starts, so this one is a process of its own.
test.each(["HTTPS_PROXY", "https_proxy"])("%s is the way to an https server", async (variable) => {
  await using local = await localServer(chatApi, { tls: true });
  await using proxy = await proxyServer();
  const script = `
    import { openAiChat } from "@toycoder/provider-openai";
    const model = openAiChat({ model: "m", apiKey: "k", baseURL: "https://model.test:${local.port}/v1", retries: 0 });
    const request = { instructions: "", messages: [{ role: "user", content: [{ type: "text", text: "hi" }] }], tools: [] };
    for await (const event of model.stream(request, { signal: new AbortController().signal }))
      if (event.type === "text") process.stdout.write(event.text);`;
  const args = ["--conditions=@toycoder/source", "--input-type=module", "-e", script];
  const { PATH } = process.env;
  const env = { PATH, [variable]: proxy.url, NODE_EXTRA_CA_CERTS: CERTIFICATE };
  const { stdout } = await promisify(execFile)(process.execPath, args, { cwd: import.meta.dirname, env });
  expect(stdout).toBe("ok");
  expect(proxy.asked).toEqual([`CONNECT model.test:${local.port}`]);
});
