import { isSetupError, textOf } from "@toycoder/core";
import { tempWorkspace, toolBench } from "@toycoder/testing";
import { expect, test } from "vitest";
import packageJson from "../package.json" with { type: "json" };
import { shellPlugin, type ShellOptions } from "./plugin.ts";
import { hasSandbox } from "./test-support/has-sandbox.ts";

const context = { root: "/", secretVariables: ["MY_DATABASE"] };

async function outputOf(command: string, options?: ShellOptions): Promise<string> {
  using workspace = tempWorkspace();
  const { tools, dispose } = await shellPlugin(options).setup(context);
  const result = await toolBench(tools, { root: workspace.root }).call("run_command", { command });
  await dispose?.();
  return textOf(result.content);
}

test("it brings run_command, which is dangerous and runs alone", async () => {
  const { tools } = await shellPlugin().setup(context);
  expect(tools.map((tool) => [tool.name, tool.permission, tool.concurrency])).toEqual([
    ["run_command", "dangerous", "exclusive"],
  ]);
  expect(shellPlugin.version).toBe(packageJson.version);
});

test("what a model is sent stays small", async () => {
  const { tools } = await shellPlugin().setup(context);
  const sent = tools.map(({ name, description, jsonSchema }) => ({ name, description, jsonSchema }));
  expect(JSON.stringify(sent).length).toBeLessThan(600);
});

test("timeoutSeconds is the default of timeout", async () => {
  const { tools } = await shellPlugin({ timeoutSeconds: 0.2 }).setup(context);
  expect(tools[0]?.jsonSchema.properties).toMatchObject({ timeout: { default: 0.2, maximum: 3600 } });
  expect(await outputOf("sleep 99", { timeoutSeconds: 0.2 })).toContain("its limit of 0.2 s");
});

test("env passes on what it names", async () => {
  expect(await outputOf("echo $GREETING", { env: { GREETING: "hello" } })).toContain("hello");
});

test("the shell may be named", async () => {
  expect(await outputOf("echo $0", { shell: "/bin/sh" })).toContain("/bin/sh");
});

test("the sandbox is off unless an option says otherwise, and people and models are told", async () => {
  const { status, instructions } = await shellPlugin().setup(context);
  expect([status, instructions]).toEqual([{ sandbox: "off" }, "run_command has no sandbox."]);
});

test.skipIf(!hasSandbox)("a sandbox that is in force is told, with its network", async () => {
  const { status, instructions } = await shellPlugin({ sandbox: "auto" }).setup(context);
  expect(status?.["sandbox"]).toMatch(/^bubblewrap [\d.]+, no network$/);
  expect(instructions).toBe(
    "run_command runs in a sandbox: only the workspace and /tmp (empty at each call) can be written, and there is no network.",
  );
  const open = await shellPlugin({ sandbox: "required", network: true }).setup(context);
  expect(open.status?.["sandbox"]).toMatch(/, with network$/);
  expect(open.instructions).not.toContain("network");
});

test.each<[unknown, RegExp]>([
  [{ timeoutSeconds: 0 }, /plugin shell: timeoutSeconds/],
  [{ timeoutSeconds: 3601 }, /timeoutSeconds/],
  [{ shell: "/bin/zsh" }, /shell: expected the absolute path of a bash or sh/],
  [{ shell: "bash" }, /shell: expected the absolute path/],
  [{ env: { X: 1 } }, /env/],
  [{ timeout: 5 }, /timeout/],
  [{ sandbox: "maybe" }, /sandbox/],
  [{ sandbox: true }, /sandbox/],
  [{ network: "yes" }, /network/],
])("%j is refused", async (options, message) => {
  const setup = shellPlugin(options as ShellOptions).setup(context);
  await expect(setup).rejects.toSatisfy(
    (error) => isSetupError(error) && error.code === "plugin_options" && message.test(error.message),
  );
});
