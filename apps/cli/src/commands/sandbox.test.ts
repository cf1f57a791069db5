import { readdirSync } from "node:fs";
import { openSandbox } from "@toycoder/plugin-shell";
import { tempWorkspace } from "@toycoder/testing";
import { describe, expect, it } from "vitest";
import { ALL_TOOLS, cassette } from "../test-support/cassette.ts";
import { modelServer } from "../test-support/model-server.ts";
import { runToycoder } from "../test-support/run-toycoder.ts";

const hasSandbox = "program" in (await openSandbox("auto", false)).found;

const configOf = (shell: object): string =>
  JSON.stringify({
    plugins: ["files", "search", ["shell", shell], "question"],
    permissions: { allow: ["run_command"], deny: ["read:.env*"] },
  });

async function check(
  shell: object,
  env: Record<string, string> = {},
): Promise<{ text: string; sandbox: unknown }> {
  using folder = tempWorkspace({ "toycoder.config.json": configOf(shell) });
  const text = await runToycoder(["check"], { cwd: folder.root, env });
  const json = await runToycoder(["check", "--json"], { cwd: folder.root, env });
  expect([text.code, json.code]).toEqual([0, 0]);
  return { text: text.stdout, sandbox: (JSON.parse(json.stdout) as { sandbox: unknown }).sandbox };
}

describe("toycoder check says which sandbox is in force", () => {
  it("none by default", async () => {
    const { text, sandbox } = await check({});
    expect(sandbox).toBe("off");
    expect(text).toMatch(/^sandbox {6}off$/m);
  });

  it("that it is missing", async () => {
    const missing = "bubblewrap (the program bwrap) is not installed";
    const env = { PATH: "/none" };
    expect((await check({ sandbox: "auto" }, env)).sandbox).toBe(
      `none, since ${missing}: commands run without`,
    );
    expect((await check({ sandbox: "required" }, env)).sandbox).toBe(
      `required, but ${missing}: no command runs`,
    );
  });

  it.skipIf(!hasSandbox)("bubblewrap, and whether there is a network", async () => {
    expect((await check({ sandbox: "auto" })).text).toMatch(/^sandbox {6}bubblewrap [\d.]+, no network$/m);
    expect((await check({ sandbox: "required", network: true })).sandbox).toMatch(
      /^bubblewrap .*, with network$/,
    );
  });

  it("nothing without run_command", async () => {
    using folder = tempWorkspace({ "toycoder.config.json": JSON.stringify({ plugins: ["files"] }) });
    const { stdout } = await runToycoder(["check", "--json"], { cwd: folder.root });
    expect(JSON.parse(stdout)).toMatchObject({ sandbox: null });
  });
});

describe("the model", () => {
  const SHELLS = [
    [{}, /run_command has no sandbox\./],
    [{ sandbox: "auto" }, hasSandbox ? /run_command runs in a sandbox: .*no network\./ : /has no sandbox/],
  ] as const;

  it.each(["openai:m", "openai-chat:m", "anthropic:m"])(
    "%s: is told, in a request of 6 KB at most",
    async (model) => {
      for (const [shell, told] of SHELLS) {
        await using server = await modelServer([{ text: "Done." }]);
        using folder = tempWorkspace({ "toycoder.config.json": configOf(shell) });
        const base = model.startsWith("anthropic") ? server.url : `${server.url}/v1`;
        const args = ["run", "x", "--model", model, "--base-url", base, "--output", "json"];
        const env = { OPENAI_API_KEY: "sk-test-123", ANTHROPIC_API_KEY: "sk-ant-123" };
        expect((await runToycoder(args, { cwd: folder.root, env })).code).toBe(0);
        const request = JSON.stringify(server.requests[0]);
        for (const name of ALL_TOOLS) expect(request).toContain(`"${name}"`);
        expect(request).toMatch(told);
        expect(Buffer.byteLength(request)).toBeLessThanOrEqual(6 * 1024);
      }
    },
  );
});

describe("a run", () => {
  it.skipIf(!hasSandbox)("has commands in the sandbox, and its session says so", async () => {
    const command =
      "cat .env; echo bad > toycoder.config.json; echo bad > .state/x; echo bad > .git/config; echo ok > made";
    const calls = [{ name: "run_command", arguments: { command: "bash script.sh" } }];
    using folder = tempWorkspace({
      "c.jsonl": await cassette([{ calls }, { text: "done" }], ALL_TOOLS),
      "script.sh": command,
      "toycoder.config.json": configOf({ sandbox: "required" }),
      ".env": "SECRET",
    });
    const { code, stdout } = await runToycoder(
      ["run", "x", "--model", "replay:c.jsonl", "--output", "stream-json"],
      { cwd: folder.root },
    );
    expect(code).toBe(0);
    const events = stdout
      .trim()
      .split("\n")
      .map((line) => JSON.parse(line) as Record<string, unknown>);
    expect(events.slice(0, 2)).toMatchObject([
      { type: "session_start" },
      {
        type: "notice",
        code: "status",
        message: expect.stringMatching(/^sandbox: bubblewrap .*, no network$/),
      },
    ]);
    const result = JSON.stringify(events.find(({ type }) => type === "tool_result"));
    expect(result).toContain("· sandbox]");
    expect(result).toContain(".env: Permission denied");
    expect(result).not.toContain("SECRET");
    expect(result.match(/Read-only file system|Not a directory|Is a directory/g)).toHaveLength(3);
    expect(readdirSync(folder.root).toSorted()).toEqual(
      [".env", ".state", "c.jsonl", "made", "script.sh", "toycoder.config.json"].toSorted(),
    );
    const [session] = readdirSync(folder.path(".state/sessions"));
    expect(folder.read(`.state/sessions/${session}/events.jsonl`)).toContain(
      '"message":"sandbox: bubblewrap',
    );
  });
});
