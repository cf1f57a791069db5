import { execFileSync } from "node:child_process";
import { cpSync, existsSync, symlinkSync } from "node:fs";
import type { AddressInfo } from "node:net";
import path from "node:path";
import { fileURLToPath } from "node:url";
import type { RunResult } from "@toycoder/agent";
import type { ContentPart, ToolResult } from "@toycoder/core";
import { tempWorkspace, type TempWorkspace } from "@toycoder/testing";
import { SMTPServer } from "smtp-server";
import { afterAll, beforeAll, expect, it } from "vitest";
import { type Finished, runToycoder } from "../test-support/run-toycoder.ts";

const EXAMPLE = fileURLToPath(new URL("../../../../examples/monthly-report", import.meta.url));

let connections = 0;
const mail = new SMTPServer({
  authOptional: true,
  disabledCommands: ["STARTTLS"],
  disableReverseLookup: true,
  onConnect: (_session, done) => {
    connections++;
    done();
  },
});
beforeAll(async () => {
  await new Promise<void>((resolve) => mail.listen(0, "127.0.0.1", resolve));
});
afterAll(async () => {
  await new Promise<void>((resolve) => mail.close(resolve));
});

/** A copy of the project as it is in git, with what the example has installed, and its database made. */
function copyOfProject(files: Record<string, string> = {}): TempWorkspace {
  const project = path.join(EXAMPLE, "project");
  const made = [path.join(project, "data/sales.db"), path.join(project, "reports")];
  const folder = tempWorkspace(files);
  cpSync(project, folder.root, { recursive: true, filter: (source) => !made.includes(source) });
  symlinkSync(path.join(EXAMPLE, "node_modules"), folder.path("node_modules"));
  execFileSync(process.execPath, [folder.path("make-database.ts")]);
  return folder;
}

function toycoder(folder: TempWorkspace, args: readonly string[]): Promise<Finished> {
  const { port } = mail.server.address() as AddressInfo;
  // The example's plugins are not built: they run from source.
  const env = { NODE_OPTIONS: "--conditions=@toycoder/source", MAIL_PORT: String(port) };
  return runToycoder(args, { cwd: folder.root, env, input: "" });
}

interface Event {
  type: string;
  tool?: string;
  name?: string;
  decision?: string;
  rule?: string | null;
  effects?: readonly { kind: string }[];
  code?: string;
  path?: string;
  content?: ContentPart[];
  result?: RunResult;
}

/** Plays the cassette. `story` is what happened, in order; `results` what the model saw of each tool's result. */
async function play(folder: TempWorkspace, config: string) {
  const run = ["run", "--file", "task.md", "--config", config, "--output", "stream-json"];
  const { code, stdout, stderr } = await toycoder(folder, [
    ...run,
    "--model",
    `replay:${EXAMPLE}/cassette.jsonl`,
  ]);
  expect([code, stderr]).toEqual([0, ""]);
  const events = stdout
    .trimEnd()
    .split("\n")
    .map((line) => JSON.parse(line) as Event);
  const story = events.flatMap((event): string[] => {
    const { type, tool, decision, rule, effects = [], name, code, path: changed, result } = event;
    if (type === "tool_call") return [`call ${name}`];
    if (type === "decision") {
      const seen = effects.map(({ kind }) => ` ${kind}`).join("");
      return [`  ${decision} ${tool}${seen}${rule === null ? "" : ` by ${rule}`}`];
    }
    if (type === "change") return [`  change ${changed}`];
    if (type === "tool_result") return [`  ${code ?? "ok"}`];
    return result === undefined ? [] : [`${result.status} ${result.exitCode}`];
  });
  const results = new Map(
    events.flatMap(({ type, name = "", content = [] }) =>
      type === "tool_result"
        ? [[name, content.map((part) => (part.type === "text" ? part.text : "")).join("")]]
        : [],
    ),
  );
  return { story, results, result: events.at(-1)!.result! };
}

const REPORT = `# Sales in April 2026

## By product

Turnover in euros.

| product | units | turnover |
| --- | ---: | --- |
| Desk lamp | 3 | 149.70 |
| Notebook | 18 | 63.00 |
| Pen \\| blue | 25 | 30.00 |

## Against March

242.70 € after 182.80 €: 32.8% more.
`;

/** What is the same either way: the numbers, the report, the denial, and no mail. */
function expectReport(folder: TempWorkspace, { results, result }: Awaited<ReturnType<typeof play>>): void {
  const queried = JSON.parse(results.get("query_database")!) as { rows: unknown };
  expect(queried.rows).toEqual([
    ["2026-03", 18_280],
    ["2026-04", 24_270],
  ]);
  expect(results.get("calculate")).toBe("= 32.8");
  expect(folder.read("reports/2026-04.md")).toBe(REPORT);
  expect(result.denials).toMatchObject([
    {
      tool: "send_email",
      arguments: { to: ["sales@example.com"] },
      code: "permission_denied",
      suggestion: null,
    },
  ]);
  expect(result).toMatchObject({ turns: 6, toolCalls: 5, error: null });
  expect(connections).toBe(0);
}

it("queries, calculates, writes the report, and is denied the mail", async () => {
  using folder = copyOfProject();
  const played = await play(folder, "toycoder.config.ts");
  expectReport(folder, played);
  expect(played.story).toEqual([
    "call describe_database",
    "  allow describe_database read",
    "  ok",
    "call query_database",
    "  allow query_database read",
    "  ok",
    "call calculate",
    "  allow calculate",
    "  ok",
    "call generate_report",
    "  allow generate_report write by generate_report(reports/**)",
    "  allow query_database read",
    "  allow write_file write by write_file(reports/**)",
    "  change reports/2026-04.md",
    "  ok",
    "call send_email",
    "  deny send_email net by net:*",
    "  permission_denied",
    "completed 0",
  ]);
  expect(played.result.changes).toEqual([
    { path: "reports/2026-04.md", kind: "created", additions: 15, deletions: 0 },
  ]);
});

it("does the same with each tool gone through the AI SDK or LangChain, seen by name and level alone", async () => {
  using folder = copyOfProject();
  const played = await play(folder, "adapters.config.ts");
  expectReport(folder, played);
  expect(played.story).toEqual([
    "call describe_database",
    "  allow describe_database",
    "  ok",
    "call query_database",
    "  allow query_database",
    "  ok",
    "call calculate",
    "  allow calculate",
    "  ok",
    "call generate_report",
    "  allow generate_report by generate_report",
    "  ok",
    "call send_email",
    "  deny send_email by send_email",
    "  permission_denied",
    "completed 0",
  ]);
  // A write of the session inside is none of the run's.
  expect(played.result.changes).toEqual([]);
});

const EMAIL = ["send_email", '{"to":["sales@example.com"],"subject":"Sales","text":"Up."}'];
const ELSEWHERE = [
  "generate_report",
  '{"title":"X","path":"data/x.md","sections":[{"heading":"X","text":"X"}]}',
];
const allowing = (config: string): string =>
  `import config from "./${config}";\nexport default { ...config, permissions: { allow: ["send_email", "generate_report"] } };\n`;

it("keeps its rules in the sessions inside, whatever the run's own allow", async () => {
  const files = {
    "direct.ts": allowing("toycoder.config.ts"),
    "adapted.ts": allowing("adapters.config.ts"),
  };
  using folder = copyOfProject(files);
  const call = async (config: string, args: string[]) => {
    const { code, stdout } = await toycoder(folder, ["tools", "call", ...args, "--config", config, "--json"]);
    return { code, result: JSON.parse(stdout) as ToolResult };
  };
  const inside = await Promise.all([call("adapted.ts", EMAIL), call("adapted.ts", ELSEWHERE)]);
  expect(inside).toMatchObject([
    { code: 6, result: { error: { code: "permission_denied", message: "denied by the rule net:*" } } },
    { code: 6, result: { error: { code: "approval_required" } } },
  ]);
  expect([connections, existsSync(folder.path("data/x.md"))]).toEqual([0, false]);
  // The server is the one that mail would go to.
  expect(await call("direct.ts", EMAIL)).toMatchObject({ code: 0, result: { ok: true } });
  expect(connections).toBe(1);
});
