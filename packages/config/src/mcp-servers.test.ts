import { mkdtempSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { expect, test } from "vitest";
import { loadConfig, type LoadedConfig } from "./load-config.ts";

async function load(mcpServers: object, env: NodeJS.ProcessEnv = {}): Promise<LoadedConfig> {
  const folder = mkdtempSync(path.join(tmpdir(), "toycoder-mcp-config-"));
  writeFileSync(path.join(folder, "toycoder.config.json"), JSON.stringify({ mcpServers }));
  return await loadConfig({ cwd: folder, env });
}

test("blocks of other hosts stand as they are", async () => {
  const { config } = await load(
    {
      claude: { command: "npx", args: ["-y", "@scope/server", "/tmp"], env: { KEY: "v" } },
      vscode: {
        type: "stdio",
        command: "node",
        args: ["${workspaceFolder}/s.js"],
        env: { T: "${env:TOKEN}" },
      },
      cursor: { url: "https://x.example/mcp", headers: { Authorization: "Bearer ${TOKEN}" } },
      code: { type: "http", url: "${BASE:-https://y.example}/mcp" },
    },
    { TOKEN: "t0ken" },
  );
  expect(config.mcpServers).toEqual({
    claude: { command: "npx", args: ["-y", "@scope/server", "/tmp"], env: { KEY: "v" } },
    vscode: { type: "stdio", command: "node", args: ["${workspaceFolder}/s.js"], env: { T: "t0ken" } },
    cursor: { url: "https://x.example/mcp", headers: { Authorization: "Bearer t0ken" } },
    code: { type: "http", url: "https://y.example/mcp" },
  });
});

test("variables in env, headers and bearerToken are secret, others are not", async () => {
  const servers = {
    a: { command: "${DIR}/a", env: { A: "${ONE}", PATH: "${PATH}:/opt/bin" } },
    b: { url: "http://${HOST}", headers: { b: "${TWO}" }, bearerToken: "${THREE}" },
  };
  const { secretVariables } = await load(servers, {
    PATH: "/bin",
    DIR: "d",
    ONE: "1",
    TWO: "2",
    THREE: "3",
    HOST: "h",
  });
  expect(secretVariables.toSorted()).toEqual(["ONE", "THREE", "TWO"]);
});

test.each([
  [{ a: {} }, "mcpServers.a: needs a command or a url"],
  [{ a: { type: "http", command: "x" } }, "mcpServers.a: a server of the type http needs a url"],
  [{ a: { type: "stdio", url: "x" } }, "mcpServers.a: a server of the type stdio needs a command"],
  [{ a: { command: "x", url: "y" } }, "mcpServers.a: has a command and a url"],
  [{ "a/b": { command: "x" } }, 'mcpServers["a/b"]: a server\'s name'],
  [
    { a: { command: "x", env: { T: "${NOPE}" } } },
    "mcpServers.a.env.T: the environment variable NOPE is not set",
  ],
  [{ a: { comand: "x" } }, "mcpServers.a.comand: unknown key; did you mean command?"],
  [
    { a: { command: "x", tools: { b: "maybe" } } },
    "mcpServers.a.tools.b: expected one of safe, sensitive, dangerous",
  ],
])("%j: %s", async (servers, message) => {
  await expect(load(servers)).rejects.toThrow(message);
});

test("of a disabled server nothing has to be set", async () => {
  const off = { disabled: true, command: "x", env: { T: "${NOPE}" } };
  expect((await load({ off })).config.mcpServers).toEqual({ off });
});
