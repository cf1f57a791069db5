import { describePlugin, describeTool } from "@toycoder/testing";
import { afterAll, describe, expect, test } from "vitest";
import packageJson from "../package.json" with { type: "json" };
import { webPlugin } from "./plugin.ts";
import { rawServer, sends, webServer } from "./test-support/web-server.ts";

const server = await webServer({ "/": sends("text/html", "<h1>Hi</h1>") });
const silent = await rawServer(() => {});
afterAll(async () => {
  await server[Symbol.asyncDispose]();
  await silent[Symbol.asyncDispose]();
});

const allowPrivate = [`127.0.0.1:${server.port}`, `127.0.0.1:${silent.port}`];
const { tools } = await webPlugin({ allowPrivate }).setup({ root: "/", secretVariables: [] });

describe.each(tools)("$name", (tool) => {
  describeTool(
    {
      tool,
      examples: [
        { input: { url: server.url } },
        { input: { url: server.url, raw: true } },
        { input: { url: "http://10.0.0.1/" }, fails: "address_refused" },
      ],
      wrong: [
        { input: { url: 7 }, says: "url" },
        { input: { url: server.url, raw: "perhaps" }, says: "raw" },
      ],
      slow: { url: silent.url },
    },
    { describe, test },
  );
});

describePlugin(
  {
    plugin: webPlugin,
    manifest: packageJson,
    entry: import.meta.resolve("./index.ts"),
    options: { allowPrivate: ["10.0.0.0/8", "[::1]:8080", "::1", "fd00::/8", "wiki.internal:80"] },
    wrongOptions: [
      { options: { allowPrivate: ["10.0.0.0/33"] }, path: "allowPrivate.0" },
      { options: { allowPrivate: ["::1", "http://wiki.internal"] }, path: "allowPrivate.1" },
      { options: { allowPrivate: ["*.internal"] }, path: "allowPrivate.0" },
      { options: { maxMegabytes: 0 }, path: "maxMegabytes" },
      { options: { timeoutSeconds: -1 }, path: "timeoutSeconds" },
      { options: { lookup: "dns" }, path: "lookup" },
    ],
  },
  { describe, test },
);

test("it brings fetch_url alone", () => {
  expect(tools.map(({ name }) => name)).toEqual(["fetch_url"]);
});
